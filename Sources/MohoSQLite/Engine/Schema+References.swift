import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension Schema {
  /// Throws an error if the transaction leaves links to rows that do not exist.
  /// Unlike SQLite's error for the commit, the error names the links.
  func checkReferences(in database: Database) throws {
    guard let connection = database.sqliteConnection else { return }
    var (current, highest): (Int32, Int32) = (0, 0)
    // The value is 0 if all links are valid. The tables are searched only if it
    // is not 0.
    sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    guard current != 0, database.isInsideTransaction,
      let error = try danglingReferences(in: database)
    else { return }
    throw error
  }

  /// Returns an error that names the links to rows that do not exist, or nil if
  /// all links are valid.
  func danglingReferences(in database: Database) throws -> StoreError? {
    var links: [DanglingLink] = []
    for table in compiled.tables.map(\.name) {
      for found in try violations(of: table, database) {
        let sql = """
          SELECT \(quotedName(found.column)) FROM \(quotedName(table))
          WHERE \(quotedName(entity(table)?.identityColumn ?? "rowid")) = ?
          """
        let rows = try found.rows.map { row -> (row: Int64?, value: String) in
          let value = try DatabaseValue.fetchOne(database, sql: sql, arguments: [row])
          return (row, "\(value ?? .null)")
        }
        links.append(
          danglingLink(table: table, column: found.column, rows: rows, count: found.count))
      }
    }
    return error(for: links)
  }

  /// Returns the columns of a table with links to rows that do not exist, with the first
  /// rows and the number of rows. A deleted row can leave any number of links.
  private func violations(
    of table: String, _ database: Database
  ) throws -> [(column: String, rows: [Int64], count: Int)] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT violation.rowid, reference."from"
        FROM pragma_foreign_key_check(?1) violation
        JOIN pragma_foreign_key_list(?1) reference ON reference.id = violation.fkid
        """, arguments: [table])
    var found: [(column: String, rows: [Int64], count: Int)] = []
    while let row = try rows.next() {
      guard let id = Int64.fromDatabaseValue(row[0]),
        let column = String.fromDatabaseValue(row[1])
      else { continue }
      guard let index = found.firstIndex(where: { $0.column == column }) else {
        found.append((column, [id], 1))
        continue
      }
      found[index].count += 1
      if found[index].rows.count < WriteFailures.limit { found[index].rows.append(id) }
    }
    return found
  }
}
