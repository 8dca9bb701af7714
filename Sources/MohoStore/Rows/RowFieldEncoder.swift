import Foundation
import GRDB
import GRDBSQLite
import MohoMapping

/// Binds the fields of a model to the parameters of a statement.
// SAFETY: SQLite's statement is there as long as GRDB's, which the encoder
// holds. What is bound lies in `bytes` until that is forgotten, or with whoever
// lends it. Whoever makes either go does not run the statement before all
// parameters are cleared or bound anew, and `deinit` clears them.
final class RowFieldEncoder: FieldEncoder, UTF8Sink {
  private let owner: Statement
  private let statement: OpaquePointer
  private let bytes = BoundBytes()
  private let parameters: [Int32]
  private let identity: Int?
  private let keys: [MappingKey]

  /// The integer that was last written to the key that is the row ID.
  var identityValue: Int64?

  /// - Parameters:
  ///   - parameters: The parameter of each key, 0 for those that have none.
  ///   - identity: The position of the key that is the row ID, if one is.
  ///   - keys: The keys, where those of a mapping are written.
  init(statement: Statement, parameters: [Int32], identity: Int?, keys: [MappingKey]) {
    owner = statement
    self.statement = statement.sqliteStatement
    self.keys = keys
    self.parameters = parameters
    self.identity = identity
  }

  deinit { clear() }

  var validatesModels: Bool { true }

  func path(at index: Int) -> FieldPath? {
    keys.indices.contains(index) ? column(index) : nil
  }

  private func column(_ index: Int) -> FieldPath { FieldPath([.key(keys[index].name)]) }

  /// Forgets all that was bound.
  func clear() {
    sqlite3_clear_bindings(statement)
    forget()
  }

  /// Forgets the values, which the parameters still stand for: before the
  /// statement runs again, each must be bound anew.
  func forget() {
    bytes.forget()
    identityValue = nil
  }

  var hasIdentity: Bool { identity != nil }

  func encodeNull(at index: Int) throws {
    try check(sqlite3_bind_null(statement, parameters[index]))
  }

  func encode(_ value: Bool, at index: Int) throws {
    try encode(value ? 1 : 0 as Int64, at: index)
  }

  func encode(_ value: Int64, at index: Int) throws {
    if index == identity { identityValue = value }
    try check(sqlite3_bind_int64(statement, parameters[index], value))
  }

  func encode(_ value: UInt64, at index: Int) throws {
    guard let value = Int64(exactly: value) else {
      throw MappingError(
        .invalidValue, found: "integer \(value)", expected: "integer up to \(Int64.max)")
    }
    try encode(value, at: index)
  }

  func encode(_ value: Double, at index: Int) throws {
    // SQLite would store null.
    guard !value.isNaN else {
      throw MappingError(.invalidValue, found: "not a number", expected: "number")
    }
    try check(sqlite3_bind_double(statement, parameters[index], value))
  }

  func encode(_ value: Decimal, at index: Int) throws {
    guard !value.isNaN else {
      throw MappingError(.invalidValue, found: "not a number", expected: "decimal number")
    }
    try encode(value.description, at: index)
  }

  func encode(_ value: String, at index: Int) throws {
    if let code = value.utf8.withContiguousStorageIfAvailable({ bind($0, at: index) }) {
      return try check(code)
    }
    var value = value
    try check(value.withUTF8 { bind($0, at: index) })
  }

  private func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int32 {
    let kept = bytes.keep(UnsafeRawBufferPointer(text))
    let start = kept ?? text.baseAddress.map { UnsafeRawPointer($0) } ?? emptyText
    return sqlite3_bind_text64(
      statement, parameters[index], start.assumingMemoryBound(to: CChar.self),
      UInt64(text.count), kept == nil ? copied : nil, UInt8(SQLITE_UTF8))
  }

  func encode(_ text: BorrowedUTF8, at index: Int) throws {
    guard text.isStable, let start = text.bytes.baseAddress else {
      return try check(bind(text.bytes, at: index))
    }
    try start.withMemoryRebound(to: CChar.self, capacity: text.bytes.count) { start in
      try check(
        sqlite3_bind_text64(
          statement, parameters[index], start, UInt64(text.bytes.count), nil, UInt8(SQLITE_UTF8)))
    }
  }

  func encode(_ value: Data, at index: Int) throws {
    try check(
      value.withUnsafeBytes { data in
        // A null pointer would bind null.
        if data.isEmpty { return sqlite3_bind_zeroblob(statement, parameters[index], 0) }
        let kept = bytes.keep(data)
        return sqlite3_bind_blob64(
          statement, parameters[index], kept ?? data.baseAddress, UInt64(data.count),
          kept == nil ? copied : nil)
      })
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try encode(value.timeIntervalSinceReferenceDate, at: index)
  }

  func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("object")
    try encode(StructuredText.object(keys, at: column(index), validating: true, body), at: index)
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("array")
    try encode(StructuredText.array(at: column(index), validating: true, body), at: index)
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("dictionary")
    try encode(
      StructuredText.dictionary(names, at: column(index), validating: true, body), at: index)
  }

  /// Binds a content as the columns of its kind hold it.
  func encode(_ content: FieldContent, at index: Int) throws {
    switch content {
    case .null: try encodeNull(at: index)
    case .bool(let value): try encode(value, at: index)
    case .int64(let value): try encode(value, at: index)
    case .uint64(let value): try encode(value, at: index)
    case .double(let value): try encode(value, at: index)
    case .decimal(let value): try encode(value, at: index)
    case .string(let value): try encode(value, at: index)
    case .data(let value): try encode(value, at: index)
    case .date(let value): try encode(value, .iso8601, at: index)
    case .object, .array, .dictionary:
      throw MappingError(.unsupported, found: "\(content)", expected: "flat value")
    }
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw StoreError(.database, reason: String(cString: sqlite3_errstr(code)))
    }
  }
}

// SAFETY: `SQLITE_TRANSIENT`, which the C header spells as this cast: SQLite
// copies the bytes before the call returns and calls no destructor.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// SAFETY: A static string is never freed; SQLite reads no byte of it, as it is
// used with a count of 0 only.
private nonisolated(unsafe) let emptyText: UnsafeRawPointer = {
  let text: StaticString = ""
  return UnsafeRawPointer(text.utf8Start)
}()
