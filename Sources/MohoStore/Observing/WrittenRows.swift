/// The rows of one table that a transaction has written, and what they held
/// before it.
///
/// The rows of a table of links have no identity but their row ID; ``links``
/// says what they linked.
package struct WrittenRows: Sendable, Equatable {
  /// What is known of a row before the transaction.
  package enum Before: Sendable, Equatable {
    /// There was no such row.
    case absent
    /// The fingerprints of its columns, in the order of
    /// ``RecordedTable/columns``.
    case row([UInt64])
    /// Nothing: SQLite has no pre-update hook, or the rows are too many to keep
    /// what they held.
    case unknown
  }

  /// What is known of each row, by its identity, but for those of ``newRows``.
  package private(set) var before: [Int64: Before] = [:]

  /// Further rows that were not there before the transaction, where they are
  /// many.
  private(set) var newRows = RowRuns()

  /// The identities of the rows that rows were linked to before the
  /// transaction: by the column that held them, relationships to one or the
  /// `source` and `target` of a link, and by the row.
  ///
  /// Rows are not among them that were not there, were linked to nothing, or
  /// are unknown.
  package private(set) var links: [String: [Int64: Int64]] = [:]

  /// Whether every row is here that was written. Where SQLite has no pre-update
  /// hook, rows that `REPLACE` has deleted are not, nor are the former
  /// identities of rows whose identity has changed.
  package internal(set) var isComplete: Bool

  /// The maximum number of rows whose former values are recorded. Of further
  /// rows only the identity and the links are.
  static let limit = 16_384

  /// How many rows there are at most of which new ones are kept by their
  /// identities.
  static let newLimit = 4_096

  /// Whether the former links of every row in ``before`` are known.
  private var areLinksKnown = true

  /// Whether ``before`` has every row that was written.
  package var areAllKnown: Bool { isComplete && newRows.isEmpty }

  /// Whether no row was written.
  var isEmpty: Bool { before.isEmpty && newRows.isEmpty }

  /// The identities of all rows.
  var rows: Set<Int64> {
    newRows.isEmpty ? Set(before.keys) : newRows.rows.union(before.keys)
  }

  /// Whether a row was written.
  func contains(_ row: Int64) -> Bool { before[row] != nil || newRows.contains(row) }

  package init(isComplete: Bool) { self.isComplete = isComplete }

  /// The identities of the rows that some of the rows were linked to before the
  /// transaction by a column, or nil where that is not known of each.
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

  /// Whether what a row held is yet to be recorded.
  func needs(_ row: Int64) -> Bool {
    before[row] == nil && (newRows.isEmpty || !newRows.contains(row))
  }

  /// Whether the values of a further row are recorded.
  var keepsValues: Bool { before.count < Self.limit }

  /// Notes a row that was not there before the transaction, unless it has been
  /// written before in it.
  mutating func noteNew(_ row: Int64) {
    if before.count < Self.newLimit {
      // One look-up: what is known stays as it is.
      { (_: inout Before) in }(&before[row, default: .absent])
    } else if needs(row) {
      newRows.append(row)
    }
  }

  /// Records what a row held that has not been written before in the
  /// transaction; nil if that is not known.
  mutating func note(_ row: Int64, _ former: FormerRow?, of table: RecordedTable) {
    guard let former else {
      before[row] = .unknown
      areLinksKnown = false
      return
    }
    before[row] = former.fingerprints.map { .row($0) } ?? .unknown
    for (column, link) in zip(table.links, former.links) where link != nil {
      links[table.columns[column], default: [:]][row] = link
    }
  }

  /// The rows that two transactions have written, and what they held before the
  /// first.
  func followed(by later: WrittenRows) -> WrittenRows {
    var rows = self
    let held = newRows.isEmpty ? later.before : later.before.filter { needs($0.key) }
    rows.before.merge(held) { earlier, _ in earlier }
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
