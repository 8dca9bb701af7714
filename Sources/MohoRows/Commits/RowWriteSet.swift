/// The rows of one table that a transaction has written, and their previous
/// values.
///
/// The rows of a link table are identified by their row ID; ``links`` has what
/// they linked.
package struct RowWriteSet: Sendable, Equatable {
  /// What is known about a row before the transaction.
  package enum Before: Sendable, Equatable {
    /// The row did not exist.
    case absent
    /// The fingerprints of its columns, in the order of
    /// ``CompiledTable/columns``.
    case row([UInt64])
    /// Nothing: SQLite has no pre-update hook, or the rows are too many.
    case unknown
  }

  /// What is known about each row, by its identity, except ``newRows``.
  package private(set) var before: [Int64: Before] = [:]

  /// Further rows that did not exist before the transaction, if they are many.
  package private(set) var newRows = RowIDRanges()

  /// The identities of the linked rows before the transaction, by column and by
  /// row. Columns are relationships to one, or the `source` and `target` of a
  /// link.
  ///
  /// Rows that did not exist, were not linked or are unknown are missing.
  package private(set) var links: [String: [Int64: Int64]] = [:]

  /// Whether every written row is included. If SQLite has no pre-update hook,
  /// rows that `REPLACE` has deleted are missing, and the former identities of
  /// rows whose identity has changed.
  package internal(set) var isComplete: Bool

  /// The maximum number of rows whose previous values are recorded. Of further
  /// rows, only identities and links are.
  static let limit = 16_384

  /// The maximum number of rows up to which new rows are recorded one by one.
  static let newLimit = 4_096

  /// Whether the former links of every row in ``before`` are known.
  private var areLinksKnown = true

  /// Whether ``before`` has every row that was written.
  package var isFullyKnown: Bool { isComplete && newRows.isEmpty }

  /// Whether no row was written.
  package var isEmpty: Bool { before.isEmpty && newRows.isEmpty }

  /// The identities of all rows.
  var rows: Set<Int64> {
    newRows.isEmpty ? Set(before.keys) : newRows.rows.union(before.keys)
  }

  /// Whether a row was written.
  package func contains(_ row: Int64) -> Bool { before[row] != nil || newRows.contains(row) }

  package init(isComplete: Bool) { self.isComplete = isComplete }

  /// The identities of the rows that a column of some rows led to before the
  /// transaction, or nil if that is not known for each.
  package func formerLinks(
    _ column: String, of rows: some Sequence<Int64>
  ) -> Set<Int64>? {
    let known = links[column] ?? [:]
    var found: Set<Int64> = []
    for row in rows {
      switch before[row] {
      case .absent: continue
      case .row: if let link = known[row] { found.insert(link) }
      case .unknown where areLinksKnown: if let link = known[row] { found.insert(link) }
      case .unknown, nil: return nil
      }
    }
    return found
  }

  /// Whether the previous values of a row are not recorded yet.
  package func needs(_ row: Int64) -> Bool {
    before[row] == nil && (newRows.isEmpty || !newRows.contains(row))
  }

  /// Whether the values of a further row are recorded.
  package var recordsValues: Bool { before.count < Self.limit }

  /// Records a row that did not exist before the transaction, unless the
  /// transaction has written it before.
  package mutating func insertNew(_ row: Int64) {
    if before.count < Self.newLimit {
      // One lookup: a known value stays.
      { (_: inout Before) in }(&before[row, default: .absent])
    } else if needs(row) {
      newRows.append(row)
    }
  }

  /// Records the previous values of a row that the transaction has not written
  /// before; nil if they are not known.
  package mutating func note(_ row: Int64, _ former: PreviousRow?, of table: CompiledTable) {
    guard let former else {
      before[row] = .unknown
      areLinksKnown = false
      return
    }
    before[row] = former.fingerprints.map { .row($0) } ?? .unknown
    for (column, link) in zip(table.linkColumns, former.links) where link != nil {
      links[table.columns[column].name, default: [:]][row] = link
    }
  }

  /// The rows that two transactions have written, and their values before the
  /// first.
  func followed(by later: RowWriteSet) -> RowWriteSet {
    var rows = self
    let needed = newRows.isEmpty ? later.before : later.before.filter { needs($0.key) }
    rows.before.merge(needed) { earlier, _ in earlier }
    rows.newRows.append(later.newRows)
    rows.areLinksKnown = areLinksKnown && later.areLinksKnown
    for (column, links) in later.links {
      let new = links.filter { needs($0.key) }
      if !new.isEmpty { rows.links[column, default: [:]].merge(new) { earlier, _ in earlier } }
    }
    rows.isComplete = isComplete && later.isComplete
    return rows
  }
}
