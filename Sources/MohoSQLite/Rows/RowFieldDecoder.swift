import Foundation
import GRDBSQLite
import MohoMapping
import MohoRows

/// Reads the columns of the current row of a statement.
///
/// The columns have the positions of the mapping's keys, as in
/// `ModelNode.selection(in:)`, followed by the identity. Dates are stored as
/// seconds since 2001-01-01T00:00:00Z, which preserves every bit.
// SAFETY: The owner of the decoder retains `statement` and moves it to a row
// before fields are read.
final class RowFieldDecoder: FieldDecoder {
  private let statement: OpaquePointer
  private let entity: Entity
  private let table: FieldKeys
  private let keys: [FieldKey]
  /// The positions of the keys without a column.
  private let unstored: Set<Int>
  let texts: StructuredTextReader

  init(statement: OpaquePointer, entity: Entity, keys table: FieldKeys) {
    self.statement = statement
    self.entity = entity
    self.table = table
    keys = table.keys
    texts = StructuredTextReader(table)
    unstored = Set(table.keys.indices.filter { !table.keys[$0].isStored })
  }

  @inline(__always)
  private func value(
    at index: Int, _ type: Int32, _ expected: StaticString
  ) throws -> SQLiteValue {
    let value = SQLiteValue(statement, Int32(index))
    if value.type == type { return value }
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
    try value(at: index, SQLITE_INTEGER, "integer").int64
  }

  func uint64(at index: Int) throws -> UInt64 {
    guard let value = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "integer from 0")
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    try value(at: index, SQLITE_FLOAT, "number").double
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = DecimalText.decimal(try string(at: index)) else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }

  func string(at index: Int) throws -> String {
    guard let text = try value(at: index, SQLITE_TEXT, "string").string else {
      throw error(.invalidValue, at: index, expected: "UTF-8 text", found: "other bytes")
    }
    return text
  }

  func data(at index: Int) throws -> Data {
    Data(try value(at: index, SQLITE_BLOB, "bytes").bytes)
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try value(at: index, SQLITE_FLOAT, "date").double)
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    let object = texts.object(
      try text(at: index, "object"), keys: keys, isDivided: table.divides(keys, at: index))
    if let object { return object }
    return try structured(at: index, "object").object(at: 0, keys: keys)
  }

  func array(at index: Int) throws -> FieldElements {
    if let array = texts.array(try text(at: index, "array"), at: index) { return array }
    return try structured(at: index, "array").array(at: 0)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    if let members = texts.dictionary(try text(at: index, "object"), at: index) { return members }
    return try structured(at: index, "object").dictionary(at: 0)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let text = try value(at: index, SQLITE_TEXT, "string").text
    if let value = texts.json(type, UnsafeRawBufferPointer(text), at: index) { return value }
    return try codable(type, at: index, json: Data(string(at: index).utf8), isStored: true)
  }

  /// Returns the JSON text in a column.
  private func text(at index: Int, _ expected: String) throws -> UnsafeRawBufferPointer {
    try keys[index].checkStructure(expected)
    return UnsafeRawBufferPointer(try value(at: index, SQLITE_TEXT, "string").text)
  }

  /// Returns a decoder for the JSON text in a column.
  private func structured(at index: Int, _ expected: String) throws -> any FieldDecoder {
    let text = try string(at: index)
    let decoder = StructuredText.decoder(
      of: text, at: path(at: index), dividedBy: table.division(at: index))
    guard let decoder else {
      throw error(.invalidValue, at: index, expected: "JSON \(expected)")
    }
    return decoder
  }

  func field(at index: Int) -> FieldDescription {
    FieldDescription(
      path: path(at: index), found: "\(StoredValue(statement, Int32(index)))")
  }

  private func path(at index: Int) -> FieldPath {
    let identity = sqlite3_column_int64(statement, Int32(keys.count))
    return FieldPath([.key(entity.name), .key("\(identity)"), .key(keys[index].name)])
  }
}
