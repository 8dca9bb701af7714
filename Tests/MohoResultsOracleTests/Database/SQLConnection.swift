import GRDBSQLite

/// A connection that uses SQLite's functions directly, without code of the store.
final class SQLConnection {
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    let description: String
  }

  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  init(path: String) throws {
    try check(sqlite3_open(path, &handle))
    sqlite3_busy_timeout(handle, 60_000)
    try execute("PRAGMA foreign_keys = ON")
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// Whether no transaction is open.
  var isInAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

  func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Reads all rows of a statement. Each statement is prepared once.
  func forEachRow(_ sql: String, _ body: (borrowing SQLRow) -> Void) throws {
    let statement: OpaquePointer
    if let known = statements[sql] {
      statement = known
    } else {
      var new: OpaquePointer?
      try check(sqlite3_prepare_v2(handle, sql, -1, &new, nil))
      guard let new else { return }
      statements[sql] = new
      statement = new
    }
    defer { sqlite3_reset(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      body(SQLRow(statement: statement))
      code = sqlite3_step(statement)
    }
    if code != SQLITE_DONE { try check(code) }
  }

  private func check(_ code: Int32) throws {
    if code == SQLITE_OK { return }
    let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
    throw Failure(code: code, description: "\(message) (\(code))")
  }
}

/// The current row of a statement.
struct SQLRow: ~Copyable {
  let statement: OpaquePointer

  var columnCount: Int { Int(sqlite3_column_count(statement)) }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

  func text(_ column: Int) -> String {
    sqlite3_column_text(statement, Int32(column)).map { String(cString: $0) } ?? "NULL"
  }

  func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

  /// Hashes all columns with their types.
  func hash(into hasher: inout Hasher) {
    for column in 0..<Int32(sqlite3_column_count(statement)) {
      let type = sqlite3_column_type(statement, column)
      hasher.combine(type)
      if type == SQLITE_INTEGER {
        hasher.combine(sqlite3_column_int64(statement, column))
      } else if type != SQLITE_NULL {
        hasher.combine(text(Int(column)))
      }
    }
  }
}
