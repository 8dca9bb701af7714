import GRDB
import MohoRows

extension SQLiteSession {
  var linkedRows: any LinkedRowSource {
    get throws { DatabaseRows(try database) }
  }

  func damage(limit: Int) throws -> [String] {
    try perform { database in
      let lines = try String.fetchAll(database, sql: "PRAGMA integrity_check(\(limit))")
      return lines == ["ok"] ? [] : lines
    }
  }
}
