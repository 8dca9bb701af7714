import GRDB

extension Database {
  /// Returns the rows of a query, with `|` between the values.
  package func values(_ sql: String) throws -> [String] {
    try Row.fetchAll(self, sql: sql).map { row in
      row.databaseValues.map { "\($0)" }.joined(separator: "|")
    }
  }

  /// Returns the rows of all tables.
  package func dump() throws -> [String] {
    let tables = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try tables.flatMap { table in
      try Row.fetchAll(
        self, sql: "SELECT * FROM \"\(table)\" ORDER BY rowid"
      ).map { "\(table): \($0)" }
    }
  }
}
