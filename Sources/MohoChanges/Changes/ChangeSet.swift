/// Everything that happened between two states of a list.
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
/// - Moves are the fewest possible such that no untouched row moves.
/// - A row whose section key changed has always moved. A row whose section
///   only got another number has not.
/// - A section that lost its place among the others is deleted and inserted,
///   and each row that stayed in it has a move.
/// - The order of the records is determined: equal lists give equal change
///   sets.
///
/// A change set does not say how to show it. ``batchPlan`` turns it into the
/// operations of a table view, ``stagedPlan(oldSectionCount:)`` into those of a
/// few batches that keep all moves, ``sequentialEdits(from:to:)`` into steps,
/// ``splices(from:to:)`` into runs of rows and ``difference(from:to:)`` into a
/// `CollectionDifference`.
public struct ChangeSet: Equatable, Sendable {
  /// The sections that came or went: deletions by ascending index in old
  /// space, then insertions by ascending index in new space.
  public let sections: [SectionChange]

  /// The rows that were touched: deletions by ascending path in old space,
  /// then all others by ascending path in new space.
  public let rows: [RowChange]

  /// Whether nothing happened.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// Makes a change set of records in any order.
  package init(sections: [SectionChange] = [], rows: [RowChange] = []) {
    self.sections =
      sections.filter { $0.kind == .delete }.sorted { $0.index < $1.index }
      + sections.filter { $0.kind == .insert }.sorted { $0.index < $1.index }
    self.rows = rows.sorted(by: Self.areInOrder)
  }

  private static func areInOrder(_ lhs: RowChange, _ rhs: RowChange) -> Bool {
    switch (lhs.new, rhs.new) {
    case (let left?, let right?): return left < right
    case (nil, _?): return true
    case (_?, nil): return false
    case (nil, nil):
      guard let left = lhs.old, let right = rhs.old else { return false }
      return left < right
    }
  }
}

extension ChangeSet: CustomStringConvertible {
  /// The records, one a line: sections, then rows.
  public var description: String {
    (sections.map(\.description) + rows.map(\.description)).joined(separator: "\n")
  }
}
