import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// A prepared statement of a connection.
///
/// Reading calls SQLite directly, because the overhead of GRDB for each run
/// exceeds the cost of a statement that reads one row. Use ``execute()`` for
/// statements that write, and ``StatementRows`` for the requests of users.
// SAFETY: GRDB's statement, which this value retains, owns `pointer`.
struct PreparedStatement {
  let pointer: OpaquePointer
  let binder: StatementBinder
  /// The number of parameters that precede the first one that
  /// ``bind(_:at:)-(Int64,_)`` and its overloads can set.
  private let offset: Int32
  private let statement: Statement
  private let database: Database

  /// Prepares an SQL statement, or reuses the statement in the connection's
  /// cache if it is not running.
  ///
  /// - Parameter reusesMemory: Whether texts and blobs are copied to memory
  ///   that is reused. Suitable for statements that run often.
  init(_ database: Database, _ sql: String, reusesMemory: Bool = false) throws {
    let (statement, _) = try Self.statement(sql, on: database)
    // GRDB only runs statements after their arguments have been set.
    statement.setUncheckedArguments(StatementArguments())
    self.init(
      statement, database, offset: 0, memory: reusesMemory ? BindingMemory(for: statement) : nil)
  }

  /// Prepares a query and binds its arguments.
  init(_ database: Database, _ query: SQLQuery) throws {
    try self.init(database, query.sql)
    try bind(query.arguments)
  }

  init(
    _ statement: Statement, _ database: Database, offset: Int32, memory: BindingMemory? = nil
  ) {
    self.statement = statement
    self.database = database
    self.offset = offset
    pointer = statement.sqliteStatement
    binder = StatementBinder(statement: pointer, memory: memory)
  }

  /// Prepares a single statement that an app has written.
  ///
  /// - Throws: A `StoreError` if it controls transactions, connections or files, creates a
  ///   temporary table that hides a table of the store, or if there is not exactly one
  ///   statement.
  // Not cached: GRDB's cache does not distinguish texts that differ only in the
  // composition of characters.
  init(_ database: Database, appSQL sql: String, _ tables: TableNames) throws {
    var statements = try AppStatements(database, sql, tables)
    guard let statement = try statements.next() else { throw StoreError.queryOfStatements(0) }
    guard try statements.next() == nil else { throw StoreError.queryOfStatements(2) }
    self.init(app: statement, database)
  }

  /// Takes a statement that an app has written.
  init(app statement: Statement, _ database: Database) {
    // GRDB only runs statements after their arguments have been set.
    statement.setUncheckedArguments(StatementArguments())
    self.init(statement, database, offset: 0)
  }

  /// Returns a statement of a connection that is not running.
  ///
  /// - Returns: The statement, and whether the connection caches it.
  static func statement(
    _ sql: String, on database: Database
  ) throws -> (statement: Statement, isCached: Bool) {
    // GRDB traps if a statement is prepared on a closed connection.
    guard database.sqliteConnection != nil else { throw DatabaseError.closedConnection }
    let statement = try database.cachedStatement(sql: sql)
    if sqlite3_stmt_busy(statement.sqliteStatement) == 0 { return (statement, true) }
    return (try database.makeStatement(sql: sql), false)
  }
}

extension PreparedStatement {
  /// Binds values to the first parameters.
  func bind(_ arguments: [FieldContent]) throws {
    for (index, argument) in arguments.enumerated() {
      try binder.bind(StoredValue(argument), at: Int32(index) + 1)
    }
  }

  func bind(_ value: Int64, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ value: String, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ value: StoredValue, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ content: FieldContent, at parameter: Int32) throws {
    try binder.bind(StoredValue(content), at: offset + parameter)
  }

  /// Binds null to all parameters.
  func clearBindings() {
    sqlite3_clear_bindings(pointer)
    binder.memory?.reset()
  }

  /// Advances to the next row. The caller must reset the statement at the end.
  ///
  /// - Returns: Whether there is a row.
  func step() throws -> Bool {
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage,
      sql: statement.sql)
  }

  func reset() { sqlite3_reset(pointer) }

  /// Runs a statement that returns no rows.
  func run() throws {
    defer { reset() }
    _ = try step()
  }

  /// Runs the statement, and passes each row to a closure.
  func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
    defer { reset() }
    while try step() { try body(pointer) }
  }

  /// Runs the statement up to its first row.
  func first<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value? {
    defer { reset() }
    return try step() ? body(pointer) : nil
  }

  /// Returns whether the statement returns a row.
  func hasRow() throws -> Bool {
    defer { reset() }
    return try step()
  }

  /// Runs a writing statement through GRDB, which notifies its observers.
  func execute() throws {
    // Values can only be bound after the statement has been reset. Resetting
    // returns the error of the run again.
    defer { reset() }
    try statement.execute()
  }

  /// Whether running the statement leaves the database unchanged.
  var isReadOnly: Bool { sqlite3_stmt_readonly(pointer) != 0 }

  /// The number of rows that the last statement of the connection wrote.
  var changesCount: Int { Int(sqlite3_changes(sqlite3_db_handle(pointer))) }

  /// Runs an upsert that does not write a row that is already equal.
  ///
  /// - Parameter identity: The identity that an inserted row would have, or nil
  ///   if it is not determined in advance.
  func executeUpsert(identity: Int64?) throws -> SaveOutcome {
    let connection = sqlite3_db_handle(pointer)
    // An insertion changes the last inserted row ID. An update does not change
    // it.
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

  /// Starts the statement through GRDB.
  fileprivate func cursor() throws -> RowCursor { try Row.fetchCursor(statement) }
}

/// The rows of a query that GRDB starts.
///
/// GRDB takes the first step, because it checks the connection and reports the
/// tables that are read to observations. All other steps call SQLite directly,
/// which reduces the time for reading a row by a fifth. The statement is reset
/// when the value is released.
struct StatementRows {
  private let prepared: PreparedStatement
  private let cursor: RowCursor
  private var isStarted = false
  private var isAtEnd = false

  /// The statement with the current row.
  var statement: OpaquePointer { prepared.pointer }

  init(_ database: Database, _ query: SQLQuery) throws {
    try self.init(PreparedStatement(database, query))
  }

  init(_ prepared: PreparedStatement) throws {
    self.prepared = prepared
    cursor = try prepared.cursor()
  }

  /// Moves to the next row.
  ///
  /// - Returns: Whether there is a row.
  mutating func next() throws -> Bool {
    if isAtEnd { return false }
    if isStarted {
      isAtEnd = try !prepared.step()
    } else {
      isStarted = true
      isAtEnd = try cursor.next() == nil
    }
    return !isAtEnd
  }

  /// Passes each row of a query to a closure.
  static func forEach(
    of query: SQLQuery, _ database: Database, _ body: (OpaquePointer) throws -> Void
  ) throws {
    var rows = try StatementRows(database, query)
    while try rows.next() { try body(rows.statement) }
  }
}

extension DatabaseError {
  static var closedConnection: DatabaseError {
    DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
  }
}
