import Foundation
import MohoMapping
import MohoRows

/// Writes the fields of models to arrays of columns.
final class RowArrayEncoder: ErrorCollectingEncoder, UTF8Sink {
  private(set) var rows: RowArrays
  /// The column of each key, or -1 for keys without a column.
  private let columns: [Int]
  /// The columns whose contents identify the row.
  private let keyColumns: [Int]
  private let entity: String
  private let keys: [FieldKey]

  /// The contents of the identifying columns of the current row.
  private(set) var keyContents: [FieldContent]
  /// The integer that identifies the current row, if it is identified by one.
  private(set) var integerKey: Int64?
  private let integerKeyColumn: Int

  init(
    _ types: [PostgresType], columns: [Int], keyColumns: [Int], entity: String,
    keys: [FieldKey]
  ) {
    rows = RowArrays(types)
    self.columns = columns
    self.keyColumns = keyColumns
    self.entity = entity
    self.keys = keys
    keyContents = Array(repeating: .null, count: keyColumns.count)
    integerKeyColumn =
      keyColumns.count == 1 && [.int8, .int4, .int2].contains(types[keyColumns[0]])
      ? keyColumns[0] : -1
  }

  var validatesModels: Bool { true }

  func path(at index: Int) -> FieldPath? {
    keys.indices.contains(index) ? FieldPath([.key(keys[index].name)]) : nil
  }

  func removeAll() {
    rows.removeAll()
    clearKey()
  }

  /// Ends a row. Fields that were not written are null.
  func endRow() {
    rows.endRow()
    clearKey()
  }

  /// Removes the fields of a row that has not ended.
  func discardRow() {
    rows.discardRow()
    clearKey()
  }

  private func clearKey() {
    integerKey = nil
    for index in keyContents.indices { keyContents[index] = .null }
  }

  /// The identifying key of the current row, or nil if a part of it is null.
  var uniqueKey: UniqueKey? {
    if let integerKey { return UniqueKey(.int64(integerKey)) }
    if keyContents.isEmpty { return nil }
    return UniqueKey(
      keyContents.count == 1 ? keyContents[0] : FieldContent(identity: keyContents))
  }

  @inline(__always)
  private func write(
    _ index: Int, _ body: (inout PostgresBuffer, PostgresType) throws -> Void
  ) throws {
    let column = columns[index]
    if column < 0 { return }
    if rows.columns[column].count > rows.count { rows.columns[column].removeLast() }
    let type = rows.types[column]
    do {
      try rows.columns[column].append { try body(&$0, type) }
    } catch let failure {
      throw error(failure, at: index)
    }
  }

  /// Adds the key to an error.
  private func error(_ failure: any Error, at index: Int) -> any Error {
    guard var error = failure as? StoreError, error.entity == nil, keys.indices.contains(index)
    else {
      guard let failure = failure as? MappingError, failure.path == nil else { return failure }
      return error(failure.code, at: index, expected: failure.expected, found: failure.found)
    }
    error.entity = entity
    error.keys = [keys[index].name]
    error.subject = error.subject ?? "`\(entity).\(keys[index].name)`"
    return error
  }

  private func setKey(_ index: Int, _ content: @autoclosure () -> FieldContent) {
    guard let position = keyColumns.firstIndex(of: columns[index]) else { return }
    keyContents[position] = content()
  }

  func encodeNull(at index: Int) throws {
    let column = columns[index]
    if column < 0 { return }
    if rows.columns[column].count > rows.count { rows.columns[column].removeLast() }
    rows.columns[column].appendNull()
    setKey(index, .null)
    if column == integerKeyColumn { integerKey = nil }
  }

  func encode(_ value: Bool, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .bool(value))
  }

  func encode(_ value: Int64, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    if columns[index] == integerKeyColumn { return integerKey = value }
    setKey(index, .int64(value))
  }

  func encode(_ value: UInt64, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    if columns[index] == integerKeyColumn { return integerKey = Int64(exactly: value) }
    setKey(index, .uint64(value))
  }

  func encode(_ value: Double, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .double(value))
  }

  func encode(_ value: Decimal, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .decimal(value))
  }

  func encode(_ value: String, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .string(value))
  }

  func encode(_ text: BorrowedUTF8, at index: Int) throws {
    try write(index) { try $0.append(text: text.bytes, as: $1) }
    setKey(index, .string(String(decoding: text.bytes, as: UTF8.self)))
  }

  func encode(_ value: Data, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .data(value))
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try write(index) { try $0.append(value, as: $1) }
    setKey(index, .date((try? PostgresDate.rounded(value)) ?? value))
  }

  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("object")
    try encode(textAt: index) { try $0.encodeObject(at: 0, keys: keys, body) }
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("array")
    try encode(textAt: index) { try $0.encodeArray(at: 0, count: count, body) }
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("dictionary")
    try encode(textAt: index) { try $0.encodeDictionary(at: 0, names: names, body) }
  }

  private func encode(textAt index: Int, _ body: (any FieldEncoder) throws -> Void) throws {
    let text = try StructuredText.text(
      at: path(at: index) ?? FieldPath([]), validating: true, body)
    try encode(text, at: index)
  }
}
