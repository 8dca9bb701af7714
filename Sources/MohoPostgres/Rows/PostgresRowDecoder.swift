import Foundation
import MohoMapping
import MohoRows

/// Reads the columns of the current row of a result.
///
/// The columns have the positions of the mapping's keys, as in
/// `ModelNode.selection(in:)`, followed by the identity.
final class PostgresRowDecoder: FieldDecoder {
  private var row: BorrowedPostgresRow?
  /// The result that contains the row.
  private var result: PostgresResult?
  private let entity: Entity
  private let table: FieldKeys
  private let keys: [FieldKey]
  /// The types of the columns.
  private var types: [PostgresType] = []
  /// The positions of the keys without a column.
  private let unstored: Set<Int>
  let texts: StructuredTextReader

  init(entity: Entity, keys table: FieldKeys) {
    self.entity = entity
    self.table = table
    keys = table.keys
    texts = StructuredTextReader(table)
    unstored = Set(table.keys.indices.filter { !table.keys[$0].isStored })
  }

  /// Retains a result until ``close()`` is called.
  func open(_ result: PostgresResult) {
    self.result = result
    types = (0..<result.columnCount).map { result.type(ofColumn: $0) }
  }

  func close() { (row, result) = (nil, nil) }

  /// Moves the decoder to a row of the result.
  @inline(__always)
  func move(to row: Int) {
    guard let result else { return }
    // SAFETY: The decoder retains the result as long as it has the row.
    self.row = BorrowedPostgresRow(of: result, row)
  }

  @inline(__always)
  private func value(
    at index: Int, _ type: PostgresType, _ expected: StaticString
  ) throws -> BorrowedPostgresRow {
    if let row, types[index] == type, !row.isNull(index) { return row }
    throw mismatch(at: index, expected)
  }

  /// Returns a value that the server sends as an integer or in as many bytes.
  @inline(__always)
  private func integer(
    at index: Int, _ type: PostgresType, _ expected: StaticString
  ) throws -> Int64 {
    if let row, types[index] == type, let value = row.optionalInt64(index) { return value }
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

  func isNull(at index: Int) -> Bool { row?.isNull(index) ?? true }

  func bool(at index: Int) throws -> Bool { try integer(at: index, .bool, "Boolean") != 0 }

  func int64(at index: Int) throws -> Int64 {
    switch types[index] {
    case .int8, .int4, .int2:
      if let value = row?.optionalInt64(index) { return value }
    default: break
    }
    throw mismatch(at: index, "integer")
  }

  func uint64(at index: Int) throws -> UInt64 {
    switch types[index] {
    case .uint64, .numeric:
      if let value = row?.uint64(index) { return value }
    default: break
    }
    guard let value = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "integer from 0")
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    Double(bitPattern: UInt64(bitPattern: try integer(at: index, .float8, "number")))
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = try value(at: index, .numeric, "decimal number").decimal(index) else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }

  func string(at index: Int) throws -> String {
    switch types[index] {
    case .text:
      if let text = row?.optionalString(index) { return text }
    case .uuid, .jsonb:
      if case .string(let text) = try content(at: index) { return text }
    default: break
    }
    throw mismatch(at: index, "string")
  }

  func data(at index: Int) throws -> Data { try value(at: index, .bytea, "bytes").data(index) }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    PostgresDate.date(try integer(at: index, .timestamptz, "date"))
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    let object = try withText(at: index, "object") {
      texts.object($0, keys: keys, isDivided: table.divides(keys, at: index))
    }
    return try object ?? structured(at: index, "object").object(at: 0, keys: keys)
  }

  func array(at index: Int) throws -> FieldElements {
    let array = try withText(at: index, "array") { texts.array($0, at: index) }
    return try array ?? structured(at: index, "array").array(at: 0)
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    let members = try withText(at: index, "object") { texts.dictionary($0, at: index) }
    return try members ?? structured(at: index, "object").dictionary(at: 0)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    guard types[index] == .jsonb else {
      return try codable(type, at: index, json: Data(string(at: index).utf8), isStored: true)
    }
    let row = try value(at: index, .jsonb, "JSON")
    if let value = row.withJSON(index, { texts.json(type, $0, at: index) }) { return value }
    return try codable(type, at: index, json: Data(row.json(index).utf8), isStored: true)
  }

  /// Calls a closure with the JSON text in a column.
  private func withText<Result>(
    at index: Int, _ expected: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    try keys[index].checkStructure(expected)
    return try value(at: index, .jsonb, "JSON").withJSON(index, body)
  }

  /// Returns a decoder for the JSON in a column.
  private func structured(at index: Int, _ expected: String) throws -> any FieldDecoder {
    let row = try value(at: index, .jsonb, "JSON")
    let decoder = StructuredText.decoder(
      of: row.json(index), at: path(at: index), dividedBy: table.division(at: index))
    guard let decoder else {
      throw error(.invalidValue, at: index, expected: "JSON \(expected)")
    }
    return decoder
  }

  private func content(at index: Int) throws -> FieldContent {
    guard let row else { return .null }
    do {
      return try row.content(index, as: types[index])
    } catch let error as MappingError {
      throw error.inside(field(at: index).path, dropping: 0)
    }
  }

  func field(at index: Int) -> FieldDescription {
    FieldDescription(
      path: path(at: index), found: (try? content(at: index))?.summary ?? "other value")
  }

  private func path(at index: Int) -> FieldPath {
    let identity = row?.int64(keys.count) ?? 0
    return FieldPath([.key(entity.name), .key("\(identity)"), .key(keys[index].name)])
  }
}
