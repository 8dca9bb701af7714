/// The rows of one table that a transaction has written, with their previous
/// values.
///
/// Rows of a link table are identified by their row ID. ``links`` contains the
/// identities that they linked.
package struct RowWriteSet: Sendable, Equatable {
  /// What was recorded about a row, before or after a transaction.
  package enum RecordedRow: Sendable, Equatable {
    /// The row does not exist.
    case absent
    /// The fingerprints of its columns, in the order of
    /// ``CompiledTable/columns``.
    case row([UInt64])
    /// The values are not available: SQLite has no pre-update hook, or there
    /// are too many rows.
    case unknown
  }

  /// The previous state of each row, by identity, except the rows in
  /// ``newRows``.
  package private(set) var before: [Int64: RecordedRow] = [:]

  /// Additional rows that did not exist before the transaction. Only used if
  /// there are many new rows.
  package private(set) var newRows = RowIDRanges()

  /// The identities of the linked rows before the transaction, by column and by
  /// row. The columns are to-one relationships, or the `source` and `target` of
  /// a link.
  ///
  /// Rows that did not exist, were not linked, or whose values are not
  /// available are omitted.
  package private(set) var links: [String: [Int64: Int64]] = [:]

  /// Whether the set includes every written row. Without SQLite's pre-update
  /// hook, it lacks rows that `REPLACE` has deleted and the former identities
  /// of rows whose identity has changed.
  package var isComplete: Bool

  /// The maximum number of rows whose previous values are recorded. For further
  /// rows, only identities and links are recorded.
  static let limit = 16_384

  /// The number of recorded rows above which new rows are recorded in
  /// ``newRows``.
  static let individualNewRowLimit = 4_096

  /// Whether ``links`` contains the former links of every row in ``before``.
  private var hasAllLinks = true

  /// Whether ``before`` contains every written row.
  package var recordsEveryRow: Bool { isComplete && newRows.isEmpty }

  /// Whether no row was written.
  package var isEmpty: Bool { before.isEmpty && newRows.isEmpty }

  /// The identities of all rows.
  var rows: Set<Int64> {
    newRows.isEmpty ? Set(before.keys) : newRows.rows.union(before.keys)
  }

  package func contains(_ row: Int64) -> Bool { before[row] != nil || newRows.contains(row) }

  package init(isComplete: Bool) { self.isComplete = isComplete }

  /// Returns the identities of the rows that a column of the given rows
  /// referred to before the transaction, or nil if any of them is not
  /// available.
  package func formerLinks(
    _ column: String, of rows: some Sequence<Int64>
  ) -> Set<Int64>? {
    let known = links[column] ?? [:]
    var found: Set<Int64> = []
    for row in rows {
      switch before[row] {
      case .absent: continue
      case .row: if let link = known[row] { found.insert(link) }
      case .unknown where hasAllLinks: if let link = known[row] { found.insert(link) }
      case .unknown, nil: return nil
      }
    }
    return found
  }

  /// Returns whether the previous values of a row have not been recorded.
  package func lacksPreviousValues(of row: Int64) -> Bool {
    before[row] == nil && (newRows.isEmpty || !newRows.contains(row))
  }

  /// Whether the set still records the values of additional rows.
  package var recordsValues: Bool { before.count < Self.limit }

  /// Records a row that did not exist before the transaction, unless the
  /// transaction has written it before.
  package mutating func insertNew(_ row: Int64) {
    if before.count < Self.individualNewRowLimit {
      // A single lookup: an existing value is preserved.
      { (_: inout RecordedRow) in }(&before[row, default: .absent])
    } else if lacksPreviousValues(of: row) {
      newRows.append(row)
    }
  }

  /// Records the previous values of a row that the transaction has not written
  /// before. The values are nil if they are not available.
  package mutating func record(
    _ row: Int64, previous: PreviousRow?, of table: CompiledTable
  ) {
    guard let previous else {
      before[row] = .unknown
      hasAllLinks = false
      return
    }
    before[row] = previous.fingerprints.map { .row($0) } ?? .unknown
    for (column, link) in zip(table.linkColumns, previous.links) where link != nil {
      links[table.columns[column].name, default: [:]][row] = link
    }
  }

  /// Returns the rows that either transaction has written, with their values
  /// before the first transaction.
  func followed(by later: RowWriteSet) -> RowWriteSet {
    var rows = self
    let needed =
      newRows.isEmpty ? later.before : later.before.filter { lacksPreviousValues(of: $0.key) }
    rows.before.merge(needed) { earlier, _ in earlier }
    rows.newRows.append(later.newRows)
    rows.hasAllLinks = hasAllLinks && later.hasAllLinks
    for (column, links) in later.links {
      let new = links.filter { lacksPreviousValues(of: $0.key) }
      if !new.isEmpty { rows.links[column, default: [:]].merge(new) { earlier, _ in earlier } }
    }
    rows.isComplete = isComplete && later.isComplete
    return rows
  }
}

/// The values of a row before it was written.
package struct PreviousRow {
  /// The fingerprints of the row's columns, or nil if they were not read.
  let fingerprints: [UInt64]?
  /// The identities of the linked rows, in the order of the table's link
  /// columns.
  let links: [Int64?]

  package init(fingerprints: [UInt64]?, links: [Int64?]) {
    self.fingerprints = fingerprints
    self.links = links
  }
}
