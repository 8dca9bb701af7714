import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Binds values to the parameters of a statement. The first parameter has the
/// number 1.
// SAFETY: GRDB's statement owns the pointer, and the owner of the binder
// retains the statement. Bytes that SQLite does not copy are in `memory`, or in
// memory that the caller keeps valid until the statement has run.
struct StatementBinder {
  let statement: OpaquePointer

  /// The memory for bound texts and blobs, or nil if SQLite copies them.
  let memory: BindingMemory?

  func bindNull(at parameter: Int32) throws {
    try check(sqlite3_bind_null(statement, parameter))
  }

  func bind(_ value: Int64, at parameter: Int32) throws {
    try check(sqlite3_bind_int64(statement, parameter, value))
  }

  func bind(_ value: Double, at parameter: Int32) throws {
    try check(sqlite3_bind_double(statement, parameter, value))
  }

  func bind(_ value: String, at parameter: Int32) throws {
    let code = value.utf8.withContiguousStorageIfAvailable { bindText($0, at: parameter) }
    if let code { return try check(code) }
    var value = value
    try check(value.withUTF8 { bindText($0, at: parameter) })
  }

  /// - Parameter isStable: Whether the bytes stay valid until the statement has
  ///   run.
  func bind(
    text: UnsafeBufferPointer<UInt8>, isStable: Bool = false, at parameter: Int32
  ) throws {
    guard isStable, let start = text.baseAddress else {
      return try check(bindText(text, at: parameter))
    }
    try check(bindText(UnsafeRawPointer(start), text.count, nil, at: parameter))
  }

  func bind(_ value: Data, at parameter: Int32) throws {
    try check(
      value.withUnsafeBytes { bytes in
        // SQLite would bind null for a null pointer.
        if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, parameter, 0) }
        let copy = memory?.copy(bytes)
        return sqlite3_bind_blob64(
          statement, parameter, copy ?? bytes.baseAddress, UInt64(bytes.count),
          copy == nil ? transient : nil)
      })
  }

  func bind(_ value: StoredValue, at parameter: Int32) throws {
    switch value {
    case .null: try bindNull(at: parameter)
    case .integer(let value): try bind(value, at: parameter)
    case .unsigned(let value): try bind(StoredValue.storable(value), at: parameter)
    case .number(let value): try bind(value, at: parameter)
    case .text(let value): try bind(value, at: parameter)
    case .invalidText(let bytes):
      try check(
        bytes.withUnsafeBytes { bindText($0.bindMemory(to: UInt8.self), at: parameter) })
    case .blob(let value): try bind(value, at: parameter)
    }
  }

  private func bindText(_ text: UnsafeBufferPointer<UInt8>, at parameter: Int32) -> Int32 {
    let copy = memory?.copy(UnsafeRawBufferPointer(text))
    let start = copy ?? text.baseAddress.map { UnsafeRawPointer($0) } ?? emptyText
    return bindText(start, text.count, copy == nil ? transient : nil, at: parameter)
  }

  private func bindText(
    _ start: UnsafeRawPointer, _ count: Int, _ destructor: sqlite3_destructor_type?,
    at parameter: Int32
  ) -> Int32 {
    sqlite3_bind_text64(
      statement, parameter, start.assumingMemoryBound(to: CChar.self), UInt64(count), destructor,
      UInt8(SQLITE_UTF8))
  }

  private func check(_ code: Int32) throws {
    if code == SQLITE_OK { return }
    throw DatabaseError(
      resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errstr(code)),
      sql: sqlite3_sql(statement).map { String(cString: $0) })
  }
}

/// Memory for the texts and blobs that are bound to one statement. It is reused
/// for each run, because copies by SQLite would require an allocation per
/// value.
final class BindingMemory {
  /// The size of the memory, which is enough for the values of most rows.
  /// SQLite copies values that do not fit.
  private static let capacity = 16_384

  private let owner: Statement
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: BindingMemory.capacity, alignment: 1)
  private var used = 0

  init(for statement: Statement) { owner = statement }

  deinit {
    sqlite3_clear_bindings(owner.sqliteStatement)
    memory.deallocate()
  }

  /// Copies bytes. The copy is valid until ``reset()``. Returns nil if the
  /// bytes do not fit or are empty.
  // SAFETY: The copy lies within `memory`, after all bytes in use.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = memory.baseAddress, let source = bytes.baseAddress,
      bytes.count <= memory.count - used
    else { return nil }
    let destination = start + used
    destination.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return UnsafeRawPointer(destination)
  }

  /// Invalidates all copies.
  func reset() { used = 0 }
}

// SAFETY: `SQLITE_TRANSIENT`, which is this cast in the C header. SQLite copies
// the bytes before the call returns and calls no destructor.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// SAFETY: A static string is never freed. SQLite does not read its bytes,
// because the count is 0.
nonisolated(unsafe) let emptyText: UnsafeRawPointer = {
  let text: StaticString = ""
  return UnsafeRawPointer(text.utf8Start)
}()
