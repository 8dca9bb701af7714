import GRDB
import GRDBSQLite
import MohoRows

/// The statements of an SQL text that an app has written, in order.
///
/// Each statement is prepared when it is requested, because it may need tables that the
/// previous ones create.
struct AppStatements {
  private let database: Database
  private let tables: TableNames
  private let text: [CChar]
  private var position = 0

  init(_ database: Database, _ sql: String, _ tables: TableNames) throws {
    guard database.sqliteConnection != nil else { throw DatabaseError.closedConnection }
    self.database = database
    self.tables = tables
    text = Array(sql.utf8CString)
  }

  /// Returns the next statement, or nil at the end of the text.
  ///
  /// - Throws: A `StoreError` if the statement controls transactions, connections or files, or
  ///   creates a temporary table that hides a table of the store.
  mutating func next() throws -> Statement? {
    while text[position] != 0 {
      let start = position
      let isEmpty = try advance()
      if isEmpty { continue }
      let sql = text[start..<position].map { UInt8(bitPattern: $0) }
      return try database.makeStatement(sql: String(decoding: sql, as: UTF8.self))
    }
    return nil
  }

  /// Moves to the end of the next statement.
  ///
  /// - Returns: Whether there are only comments.
  private mutating func advance() throws -> Bool {
    let (text, tables, start) = (text, tables, position)
    let (end, isEmpty) = try text.withUnsafeBufferPointer { buffer -> (Int, Bool) in
      guard let base = buffer.baseAddress else { return (start, true) }
      let actions = try StatementActions.first(in: base + start)
      if let control = actions.control { throw control.error }
      if let error = actions.temporaryTable.flatMap(tables.error(creating:)) { throw error }
      var statement: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(
        database.sqliteConnection, base + start, -1, &statement, &tail)
      defer { sqlite3_finalize(statement) }
      // GRDB throws the error again when it prepares the rest of the text.
      guard code == SQLITE_OK, let tail else { return (text.count - 1, false) }
      return (tail - base, statement == nil)
    }
    position = end
    return isEmpty
  }
}

extension Database {
  /// Executes statements that an app has written.
  func execute(_ sql: AppSQL, _ tables: TableNames) throws {
    var arguments = SQLArguments(sql)
    var statements = try AppStatements(self, sql.text, tables)
    while let statement = try statements.next() {
      let statement = PreparedStatement(app: statement, self)
      try arguments.bind(to: statement)
      try statement.execute()
    }
    try arguments.checkEnd()
  }
}
