/// The rows of one table that a transaction has written, and what they held
/// before it.
///
/// The rows of a table of links have no identity but their row ID; ``links``
/// tells what they linked. A row that has the same fingerprints as before may
/// have got another position among those that are linked to one.
package struct WrittenRows: Sendable, Equatable {
  /// What is known of a row before the transaction.
  package enum Before: Sendable, Equatable {
    /// There was no such row.
    case absent
    /// The fingerprints of its columns, in the order of
    /// ``Schema/columnNames(of:)``; of a link, those of its source and target.
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

  /// How many rows there are at most of which more than the identity is kept.
  static let limit = 16_384

  /// How many rows there are at most of which new ones are kept by their
  /// identities.
  static let newLimit = 4_096

  /// Whether something is known of every row that was written.
  package var areAllKnown: Bool { isComplete && newRows.isEmpty }

  /// Whether no row was written.
  var isEmpty: Bool { before.isEmpty && newRows.isEmpty }

  /// The identities of all rows.
  var rows: Set<Int64> {
    var rows = Set(before.keys)
    for run in newRows.runs { rows.formUnion(run) }
    return rows
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
      case .unknown, nil: return nil
      }
    }
    return found
  }

  /// Whether what a row held is still to be kept.
  func needs(_ row: Int64) -> Bool { before[row] == nil }

  /// Whether the limits are not yet reached.
  ///
  /// Beyond that of new rows it is not known of a row whether it is one of them.
  var keepsValues: Bool { before.count < Self.limit && newRows.isEmpty }

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

  /// Notes what a row held that has not been written before in the transaction;
  /// nil where that is not known.
  mutating func note(_ row: Int64, _ former: FormerRow?, of table: RecordedTable) {
    guard let former else {
      before[row] = .unknown
      return
    }
    before[row] = .row(former.fingerprints)
    for (column, link) in zip(table.links, former.links) where link != nil {
      links[table.columns[column], default: [:]][row] = link
    }
  }

  /// The rows that two transactions have written, and what they held before the
  /// first.
  func followed(by later: WrittenRows) -> WrittenRows {
    var rows = self
    // Which rows the first has made is not known one by one where they are many.
    let held = newRows.isEmpty ? later.before : later.before.mapValues { _ in .unknown }
    rows.before.merge(held) { earlier, _ in earlier }
    rows.newRows.append(later.newRows)
    for (column, links) in later.links {
      let new = links.filter { before[$0.key] == nil }
      if !new.isEmpty { rows.links[column, default: [:]].merge(new) { earlier, _ in earlier } }
    }
    rows.isComplete = isComplete && later.isComplete
    return rows
  }
}
