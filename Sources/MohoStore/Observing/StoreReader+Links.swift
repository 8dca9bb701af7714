import GRDB
import GRDBSQLite

extension StoreReader {
  /// The identities of the rows that rows of a table are linked to, by the row.
  /// Rows that are gone or linked to nothing are left out.
  ///
  /// - Parameters:
  ///   - column: A relationship to one, or the `source` or `target` of a link.
  ///   - table: An entity, or a table of links.
  ///   - rows: The identities of the rows.
  /// - Complexity: O(*k* log *n*) for *k* rows of *n*, in one statement.
  package func linkedRows(
    _ column: String, in table: String, ofRows rows: some Sequence<Int64>
  ) throws -> [Int64: Int64] {
    let identity = schema.entity(table)?.identityColumn ?? "rowid"
    let list = rows.map(String.init).joined(separator: ",")
    let sql = """
      SELECT \(quoted(identity)), \(quoted(column)) FROM \(quoted(table)) \
      WHERE \(quoted(identity)) IN (SELECT value FROM json_each(?)) \
      AND \(quoted(column)) IS NOT NULL
      """
    var links: [Int64: Int64] = [:]
    try perform { database in
      var steps = try RowSteps(database, sql: sql, ["[\(list)]".databaseValue])
      while try steps.next() {
        links[sqlite3_column_int64(steps.statement, 0)] = sqlite3_column_int64(steps.statement, 1)
      }
    }
    return links
  }
}
