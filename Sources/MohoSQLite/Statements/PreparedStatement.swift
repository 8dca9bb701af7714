import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// A prepared statement of a connection: binds values, runs and resets.
///
/// Reading uses SQLite's own calls, because GRDB's work around each run costs
/// more than the run of a statement that reads one row. Use ``execute()`` for
/// statements that write, and ``StatementRows`` for the requests of users.
// SAFETY: GRDB's statement, which this value retains, owns `pointer`.
struct PreparedStatement {
  let pointer: OpaquePointer
  let binder: StatementBinder
  /// The number of parameters before the first that ``bind(_:at:)-(Int64,_)``
  /// and its siblings can set.
  private let offset: Int32
  private let statement: Statement
  private let database: Database

  /// Prepares SQL, or takes the statement from the connection's cache. A
  /// statement that is running is left alone, and a new one made.
  ///
  /// - Parameter reusesMemory: Whether texts and blobs are bound in memory that
  ///   is reused, for statements that run often.
  init(_ database: Database, _ sql: String, reusesMemory: Bool = false) throws {
    let (statement, _) = try Self.statement(sql, on: database)
    // GRDB runs only statements whose arguments it has set.
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

  /// A statement of a connection that is not running.
  ///
  /// - Returns: The statement, and whether the connection caches it.
  static func statement(
    _ sql: String, on database: Database
  ) throws -> (statement: Statement, isCached: Bool) {
    // GRDB traps if a statement is prepared on a closed connection.
    guard database.sqliteConnection != nil else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
    }
    let statement = try database.cachedStatement(sql: sql)
    if sqlite3_stmt_busy(statement.sqliteStatement) == 0 { return (statement, true) }
    return (try database.makeStatement(sql: sql), false)
  }
}

extension PreparedStatement {
  /// Binds the first parameters.
  func bind(_ arguments: [FieldContent]) throws {
    for (index, argument) in arguments.enumerated() {
      try binder.bind(SQLiteValueCopy(argument), at: Int32(index) + 1)
    }
  }

  func bind(_ value: Int64, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ value: String, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ value: SQLiteValueCopy, at parameter: Int32) throws {
    try binder.bind(value, at: offset + parameter)
  }

  func bind(_ content: FieldContent, at parameter: Int32) throws {
    try binder.bind(SQLiteValueCopy(content), at: offset + parameter)
  }

  /// Binds null to all parameters.
  func clear() {
    sqlite3_clear_bindings(pointer)
    binder.memory?.reset()
  }

  /// Moves to the next row. The caller resets the statement at the end.
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

  /// Ends the run.
  func reset() { sqlite3_reset(pointer) }

  /// Runs a statement without rows.
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

  /// Whether the statement has a row.
  func hasRow() throws -> Bool {
    defer { reset() }
    return try step()
  }

  /// Runs a statement that writes through GRDB, which informs its observers.
  func execute() throws {
    // A statement that has run accepts no values until it is reset. Resetting
    // returns the error of the run again.
    defer { reset() }
    try statement.execute()
  }

  /// The number of rows that the last statement of the connection wrote.
  var changesCount: Int { Int(sqlite3_changes(sqlite3_db_handle(pointer))) }

  /// Runs an upsert that does not write a row that is equal already.
  ///
  /// - Parameter identity: The identity of the row if it is inserted, if known.
  func executeUpsert(identity: Int64?) throws -> SaveOutcome {
    let connection = sqlite3_db_handle(pointer)
    // An upsert that updates does not change the last inserted row ID; one that
    // inserts does.
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
/// GRDB takes the first step: it checks the connection and reports the tables
/// that are read to observations. The other steps are SQLite's own, which saves a
/// fifth of the time of reading a row. The statement is reset when the value is
/// released.
struct StatementRows {
  private let prepared: PreparedStatement
  private let cursor: RowCursor
  private var isStarted = false
  private var isAtEnd = false

  /// The statement, which is on the current row.
  var statement: OpaquePointer { prepared.pointer }

  init(_ database: Database, _ query: SQLQuery) throws {
    prepared = try PreparedStatement(database, query)
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
