import Foundation
import GRDB
import GRDBSQLite

/// A statement that reads a few values and is run often, by SQLite's own calls:
/// what GRDB does around each run costs more than the run itself.
// SAFETY: `pointer` belongs to the statement, which this value holds.
struct PreparedQuery {
  let pointer: OpaquePointer
  private let statement: Statement
  private let database: Database
  private let first: Int32

  /// Finds a statement prepared, and binds its own values.
  init(
    _ kept: KeptStatement, _ arguments: [DatabaseValue], _ database: Database
  ) throws {
    self.database = database
    statement = try kept.statement(on: database)
    pointer = statement.sqliteStatement
    first = Int32(arguments.count) + 1
    for (index, value) in arguments.enumerated() { try bind(value, at: Int32(index) + 1) }
  }

  /// Binds an integer to one of the further parameters, the first being 0.
  func bind(_ value: Int64, at index: Int) throws {
    try check(sqlite3_bind_int64(pointer, first + Int32(index), value))
  }

  /// Binds a text to one of the further parameters, the first being 0.
  func bind(_ text: String, at index: Int) throws {
    try bind(text.databaseValue, at: first + Int32(index))
  }

  /// Binds a value to one of the further parameters, the first being 0.
  func bind(_ value: KeptValue, at index: Int) throws {
    let parameter = first + Int32(index)
    try check(
      value.pointer == nil
        ? sqlite3_bind_null(pointer, parameter)
        : sqlite3_bind_value(pointer, parameter, value.pointer))
  }

  /// Runs a statement that has no rows.
  func run() throws {
    defer { sqlite3_reset(pointer) }
    _ = try step()
  }

  /// Ends a run.
  func reset() { sqlite3_reset(pointer) }

  /// Runs the statement and hands each row to a closure.
  func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
    defer { sqlite3_reset(pointer) }
    while try step() { try body(pointer) }
  }

  /// Runs the statement as far as its first row.
  func first<Value>(_ body: (OpaquePointer) throws -> Value) throws -> Value? {
    defer { sqlite3_reset(pointer) }
    return try step() ? body(pointer) : nil
  }

  /// Moves to the next row, if there is one. The statement is to be reset in the
  /// end.
  func step() throws -> Bool {
    let code = sqlite3_step(pointer)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
    return false
  }

  private func bind(_ value: DatabaseValue, at parameter: Int32) throws {
    switch value.storage {
    case .null: try check(sqlite3_bind_null(pointer, parameter))
    case .int64(let integer): try check(sqlite3_bind_int64(pointer, parameter, integer))
    case .double(let number): try check(sqlite3_bind_double(pointer, parameter, number))
    case .string(var text):
      try check(
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(pointer, parameter, $0.baseAddress, Int32($0.count), copied)
          }
        })
    case .blob(let data):
      try check(
        data.withUnsafeBytes {
          sqlite3_bind_blob(pointer, parameter, $0.baseAddress, Int32($0.count), copied)
        })
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
  }
}

// SAFETY: `SQLITE_TRANSIENT`, which the C header spells as this cast: SQLite
// copies the bytes before the call returns and calls no destructor.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
