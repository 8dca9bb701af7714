import GRDB
import GRDBSQLite
import MohoMapping

/// A statement whose parameters are bound field by field.
struct BoundStatement {
  private let statement: Statement
  let encoder: RowFieldEncoder

  init(
    _ database: Database, sql: String, parameters: [Int32], identity: Int? = nil,
    keys: [MappingKey] = []
  ) throws {
    statement = try database.cachedStatement(sql: sql)
    // Tells GRDB that the parameters are bound; the encoder binds them.
    statement.setUncheckedArguments(StatementArguments())
    encoder = RowFieldEncoder(
      statement: statement, parameters: parameters, identity: identity, keys: keys)
  }

  /// A statement whose encoder takes the numbers of the parameters for the
  /// positions of keys.
  init(_ database: Database, sql: String) throws {
    let statement = try database.cachedStatement(sql: sql)
    let count = sqlite3_bind_parameter_count(statement.sqliteStatement)
    try self.init(database, sql: sql, parameters: Array(0...count))
  }

  /// Forgets the values of the model before, so that a field that is not
  /// written is null.
  func clear() { encoder.clear() }

  func execute() throws {
    // A statement that has run takes no further values until it is reset,
    // which returns the error of the run again.
    defer { sqlite3_reset(statement.sqliteStatement) }
    try statement.execute()
  }

  /// Whether the statement, which only reads, finds a row.
  func hasRow() throws -> Bool {
    defer { sqlite3_reset(statement.sqliteStatement) }
    let code = sqlite3_step(statement.sqliteStatement)
    guard code == SQLITE_ROW || code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code))
    }
    return code == SQLITE_ROW
  }

  /// Runs an upsert that leaves a row alone where it is equal.
  ///
  /// - Parameter identity: The identity that the row has if it is inserted, if
  ///   that is known.
  func executeUpsert(identity: Int64?) throws -> SaveOutcome {
    let connection = sqlite3_db_handle(statement.sqliteStatement)
    // An upsert that updates leaves the last inserted row ID as it is, which
    // tells it from one that inserts.
    let last = sqlite3_last_insert_rowid(connection)
    let mark = identity == .min ? Int64.max : Int64.min
    sqlite3_set_last_insert_rowid(connection, mark)
    defer {
      if sqlite3_last_insert_rowid(connection) == mark {
        sqlite3_set_last_insert_rowid(connection, last)
      }
    }
    try execute()
    if sqlite3_changes(connection) == 0 { return .unchanged }
    return sqlite3_last_insert_rowid(connection) == mark ? .updated : .inserted
  }
}
