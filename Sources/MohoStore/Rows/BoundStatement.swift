import GRDB
import GRDBSQLite

/// A statement whose parameters are bound field by field.
struct BoundStatement {
  private let statement: Statement
  let encoder: RowFieldEncoder

  init(
    _ database: Database, sql: String, parameters: [Int32], identity: Int? = nil
  ) throws {
    statement = try database.cachedStatement(sql: sql)
    // Tells GRDB that the parameters are bound; the encoder binds them.
    statement.setUncheckedArguments(StatementArguments())
    encoder = RowFieldEncoder(
      statement: statement.sqliteStatement, parameters: parameters, identity: identity)
  }

  /// Forgets the values of the model before, so that a field that is not
  /// written is null.
  func clear() {
    sqlite3_clear_bindings(statement.sqliteStatement)
    encoder.identityValue = nil
  }

  func execute() throws {
    // A statement that has run takes no further values until it is reset,
    // which returns the error of the run again.
    defer { sqlite3_reset(statement.sqliteStatement) }
    try statement.execute()
  }
}
