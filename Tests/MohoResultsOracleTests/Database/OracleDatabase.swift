import MohoChanges

/// The content of all rows of a model type at a moment, and the changes since the
/// previous moment.
final class KindContents {
  let rows: [Int64: RowContent]

  init(_ rows: [Int64: RowContent]) { self.rows = rows }
}

/// Reads the tables with its own SQL on its own connection. Reads only written tables
/// again.
final class OracleDatabase {
  private let connection: SQLConnection
  private let tables = [
    "Network", "Host", "Show", "Episode", "Tag", "Note", "_moho_Host_friends",
    "_moho_Show_guests", "_moho_Episode_tags",
  ]
  private var hashes: [String: Int] = [:]
  private(set) var written: Set<String> = []
  private var contents: [ModelKind: KindContents] = [:]

  init(path: String) throws { connection = try SQLConnection(path: path) }

  /// Finds the tables that changed since the last call.
  func refresh() throws {
    written = []
    try connection.execute("BEGIN")
    for table in tables {
      var hasher = Hasher()
      try connection.forEachRow("SELECT rowid, * FROM \"\(table)\" ORDER BY rowid") { row in
        row.hash(into: &hasher)
      }
      let hash = hasher.finalize()
      if hashes.updateValue(hash, forKey: table) != hash { written.insert(table) }
    }
  }

  /// Ends the read transaction that ``refresh()`` began.
  func finish() throws { try connection.execute("COMMIT") }

  /// Whether a statement reads a changed table.
  func isStale(_ sql: String) -> Bool { written.contains { sql.contains($0) } }

  /// The content of the rows of a model type.
  func contents(of kind: ModelKind) throws -> KindContents {
    let sql = ContentSQL.select(kind)
    if let known = contents[kind], !isStale(sql) { return known }
    var rows: [Int64: RowContent] = [:]
    try connection.forEachRow(sql) { row in
      let count = (row.columnCount - 1) / 2
      rows[row.integer(0)] = RowContent(
        values: (0..<count).map { row.text(1 + $0) },
        links: (0..<count).map { row.text(1 + count + $0) })
    }
    if let known = contents[kind], known.rows == rows { return known }
    let new = KindContents(rows)
    contents[kind] = new
    return new
  }

  /// The list of a statement that selects the ID, the section value, the ordering
  /// values and the values that the request reads from related rows.
  func list(_ sql: String, isSectioned: Bool) throws -> ListState {
    var rowIDs: [Int64] = []
    var keys: [SectionKey] = []
    var orders: [String] = []
    var witnesses: [String] = []
    try connection.forEachRow(sql) { row in
      rowIDs.append(row.integer(0))
      keys.append(row.sectionKey(1))
      orders.append(row.text(2))
      if row.columnCount > 3 { witnesses.append(row.text(3)) }
    }
    return ListState(
      rowIDs: rowIDs, keys: keys, orders: orders, witnesses: witnesses, isSectioned: isSectioned)
  }

  func integers(_ sql: String) throws -> [Int64] {
    var values: [Int64] = []
    try connection.forEachRow(sql) { values.append($0.integer(0)) }
    return values
  }
}

extension SQLRow {
  /// The value of a column as a section key.
  borrowing func sectionKey(_ column: Int) -> SectionKey {
    switch type(column) {
    case 1: .integer(integer(column))
    case 3: .text(text(column))
    default: .null
    }
  }
}
