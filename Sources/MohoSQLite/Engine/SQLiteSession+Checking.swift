import GRDB
import GRDBSQLite
import MohoRows

extension SQLiteSession {
  var linkedRows: any LinkedRowSource {
    get throws { DatabaseRows(try database) }
  }

  /// Unlike SQLite's error for the commit, the error names the links.
  func checkReferences() throws {
    try perform { database in
      guard let connection = database.sqliteConnection else { return }
      var (current, highest): (Int32, Int32) = (0, 0)
      // The value is 0 if all links are valid. The tables are searched only if it
      // is not 0.
      sqlite3_db_status(connection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
      guard current != 0, database.isInsideTransaction, let error = try danglingReferences() else {
        return
      }
      throw error
    }
  }

  func damage(limit: Int) throws -> [String] {
    try perform { database in
      let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(limit))")
      return lines == ["ok"] ? [] : lines
    }
  }
}
