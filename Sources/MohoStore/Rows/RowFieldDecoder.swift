import Foundation
import GRDBSQLite
import MohoMapping

/// Reads the columns of the row that a statement stands on.
///
/// Column positions are the positions of the mapping's keys, which
/// `ModelBinding.selection(in:)` provides for. Dates are stored as seconds since
/// 2001-01-01T00:00:00Z, which keeps them to the last bit.
// SAFETY: `statement` must outlive the decoder and stand on a row while fields
// are read, which `RowReader` sees to. Values are fetched from the statement
// once and then asked for type and content; SQLite allows it where no other
// thread uses the connection, and GRDB lends it to one thread at a time.
final class RowFieldDecoder: FieldDecoder {
  private let statement: OpaquePointer
  private let entity: Entity
  private let keys: [MappingKey]
  /// The positions of the keys that no column holds.
  private let unstored: Set<Int>

  init(statement: OpaquePointer, entity: Entity, keys: [MappingKey]) {
    self.statement = statement
    self.entity = entity
    self.keys = keys
    unstored = Set(keys.indices.filter { !keys[$0].isStored })
  }

  @inline(__always)
  private func value(
    at index: Int, _ type: Int32, _ expected: StaticString
  ) throws -> OpaquePointer? {
    let value = sqlite3_column_value(statement, Int32(index))
    if sqlite3_value_type(value) == type { return value }
    throw mismatch(at: index, expected)
  }

  @inline(never)
  private func mismatch(at index: Int, _ expected: StaticString) -> MappingError {
    let code: MappingError.Code =
      isAbsent(at: index) ? .missingValue : isNull(at: index) ? .unexpectedNull : .invalidType
    return error(code, at: index, expected: "\(expected)")
  }

  /// Only keys without a column are absent.
  func isAbsent(at index: Int) -> Bool { !unstored.isEmpty && unstored.contains(index) }

  func isNull(at index: Int) -> Bool {
    sqlite3_column_type(statement, Int32(index)) == SQLITE_NULL
  }

  func bool(at index: Int) throws -> Bool {
    switch try int64(at: index) {
    case 0: false
    case 1: true
    default: throw error(.invalidValue, at: index, expected: "0 or 1")
    }
  }

  func int64(at index: Int) throws -> Int64 {
    sqlite3_value_int64(try value(at: index, SQLITE_INTEGER, "integer"))
  }

  func uint64(at index: Int) throws -> UInt64 {
    guard let value = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "integer from 0")
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    sqlite3_value_double(try value(at: index, SQLITE_FLOAT, "number"))
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = DecimalText.decimal(try string(at: index)) else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }

  func string(at index: Int) throws -> String {
    guard let text = text(try value(at: index, SQLITE_TEXT, "text")).validatedText else {
      throw error(.invalidValue, at: index, expected: "UTF-8 text", found: "other bytes")
    }
    return text
  }

  func data(at index: Int) throws -> Data {
    Data(blob(try value(at: index, SQLITE_BLOB, "bytes")))
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    Date(
      timeIntervalSinceReferenceDate:
        sqlite3_value_double(try value(at: index, SQLITE_FLOAT, "date")))
  }

  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    try structured(at: index, "object").object(at: 0, keys: keys)
  }

  func array(at index: Int) throws -> FieldElements {
    try structured(at: index, "array").array(at: 0)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    try structured(at: index, "object").dictionary(at: 0)
  }

  /// The value that the JSON text of a column spells.
  private func structured(at index: Int, _ expected: String) throws -> any FieldDecoder {
    try keys[index].checkStructure(expected)
    let text = try string(at: index)
    guard let decoder = StructuredText.decoder(of: text, at: field(at: index).path) else {
      throw error(.invalidValue, at: index, expected: "JSON \(expected)")
    }
    return decoder
  }

  func field(at index: Int) -> FieldDescription {
    let identity = sqlite3_column_int64(statement, Int32(keys.count))
    return FieldDescription(
      path: FieldPath([.key(entity.name), .key("\(identity)"), .key(keys[index].name)]),
      found: found(at: index))
  }

  private func found(at index: Int) -> String {
    let value = sqlite3_column_value(statement, Int32(index))
    return switch sqlite3_value_type(value) {
    case SQLITE_NULL: "null"
    case SQLITE_INTEGER: "integer \(sqlite3_value_int64(value))"
    case SQLITE_FLOAT: "number \(sqlite3_value_double(value))"
    case SQLITE_TEXT: "text " + MohoMapping.quoted(String(decoding: text(value), as: UTF8.self))
    default: "\(blob(value).count) bytes"
    }
  }

  // SAFETY: SQLite documents that `sqlite3_value_text` and `sqlite3_value_blob`
  // point to `sqlite3_value_bytes` bytes, which stay until the next step or
  // conversion; null stands for no bytes. Nobody keeps the buffers.

  private func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private func blob(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_blob(value)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_value_bytes(value)))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The text that the bytes spell in UTF-8, or nil where they spell none.
  fileprivate var validatedText: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      guard let span = try? UTF8Span(validating: Span(_unsafeElements: self)) else { return nil }
      return String(copying: span)
    }
    return String(validating: self, as: UTF8.self)
  }
}
