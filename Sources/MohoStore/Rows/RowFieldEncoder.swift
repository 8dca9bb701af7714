import Foundation
import GRDBSQLite
import MohoMapping

/// Binds the fields of a model to the parameters of a statement.
// SAFETY: `statement` must outlive the encoder. It is seen to in
// `BoundStatement`, the only place that makes one, which holds both.
final class RowFieldEncoder: FieldEncoder {
  private let statement: OpaquePointer
  private let parameters: [Int32]
  private let identity: Int?
  private let keys: [MappingKey]

  /// The integer that was last written to the key that is the row ID.
  var identityValue: Int64?

  /// - Parameters:
  ///   - parameters: The parameter of each key, 0 for those that have none.
  ///   - identity: The position of the key that is the row ID, if one is.
  ///   - keys: The keys, where those of a mapping are written.
  init(
    statement: OpaquePointer, parameters: [Int32], identity: Int?, keys: [MappingKey]
  ) {
    self.statement = statement
    self.keys = keys
    self.parameters = parameters
    self.identity = identity
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
    var value = value
    try check(
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          sqlite3_bind_text64(
            statement, parameters[index], characters.baseAddress ?? emptyText,
            UInt64(characters.count), copied, UInt8(SQLITE_UTF8))
        }
      })
  }

  func encode(_ value: Data, at index: Int) throws {
    try check(
      value.withUnsafeBytes { bytes in
        // A null pointer would bind null.
        bytes.isEmpty
          ? sqlite3_bind_zeroblob(statement, parameters[index], 0)
          : sqlite3_bind_blob64(
            statement, parameters[index], bytes.baseAddress, UInt64(bytes.count), copied)
      })
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try encode(value.timeIntervalSinceReferenceDate, at: index)
  }

  func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("object")
    try encode(StructuredText.object(keys, body), at: index)
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("array")
    try encode(StructuredText.array(body), at: index)
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("dictionary")
    try encode(StructuredText.dictionary(names, body), at: index)
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
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
  let text: StaticString = ""
  return UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}()
