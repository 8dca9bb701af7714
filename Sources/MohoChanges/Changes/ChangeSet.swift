/// The differences between two states of a list.
///
/// ```swift
/// let changes = ChangeSet(
///   from: before, to: after, changedKeys: [episode.id: ["title", "publishedAt"]])
/// for change in changes.rows {
///   print(change)  // move [0, 2] → [0, 0] changed title, publishedAt
/// }
/// ```
///
/// - Each touched row has exactly one record; rows that only shifted because
///   of their neighbors have none.
/// - The number of moves is the minimum for which no untouched row moves.
/// - A row whose section key changed is always a move. A row whose section only
///   has a new index is not.
/// - A section that changed its order relative to other sections is deleted and
///   inserted, and each row that remained in it has a move.
/// - The order of the records is deterministic: equal input gives equal change
///   sets.
///
/// A change set does not depend on a view. Projections turn it into what a view
/// needs: ``batchPlan`` into the operations of one batch update of a table view,
/// ``stagedPlan(oldSectionCount:)`` into a few batch updates that preserve all
/// moves, ``sequentialEdits(from:to:)`` into single steps,
/// ``splices(from:to:)`` into replaced ranges of rows, and
/// ``difference(from:to:)`` into a `CollectionDifference`.
public struct ChangeSet: Equatable, Sendable {
  /// The records of sections: deletions by ascending index in old space, then
  /// insertions by ascending index in new space, then updates by ascending index
  /// in new space.
  public let sections: [SectionChange]

  /// The records of rows: deletions by ascending path in old space, then all
  /// other records by ascending path in new space.
  public let rows: [RowChange]

  /// Whether the change set has no records.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// Creates a change set from records in any order.
  package init(sections: [SectionChange] = [], rows: [RowChange] = []) {
    self.sections = [.delete, .insert, .update].flatMap { kind in
      sections.filter { $0.kind == kind }.sorted { $0.index < $1.index }
    }
    self.rows = rows.sorted(by: Self.areInOrder)
  }

  private static func areInOrder(_ lhs: RowChange, _ rhs: RowChange) -> Bool {
    switch (lhs.new, rhs.new) {
    case (let left?, let right?): return left < right
    case (nil, _?): return true
    case (_?, nil): return false
    case (nil, nil):
      return lhs.old.flatMap { left in rhs.old.map { left < $0 } } == true
    }
  }
}

extension ChangeSet: CustomStringConvertible {
  /// The records, one per line: sections, then rows.
  public var description: String {
    (sections.map(\.description) + rows.map(\.description)).joined(separator: "\n")
  }
}
