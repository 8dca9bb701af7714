import Foundation
import MohoMapping
import MohoRows

/// Bytes of values in PostgreSQL's binary form, as parameters, arrays and
/// `COPY` have them.
struct PostgresBuffer {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  @inline(__always)
  mutating func append<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func append(bytes other: UnsafeRawBufferPointer) { bytes.append(contentsOf: other) }

  /// Replaces the four bytes at an offset.
  mutating func replace(_ value: Int32, at offset: Int) {
    withUnsafeBytes(of: value.bigEndian) { source in
      for index in 0..<4 { bytes[offset + index] = source[index] }
    }
  }

  /// Appends the length of a value and the value.
  @inline(__always)
  mutating func appendField(_ write: (inout PostgresBuffer) throws -> Void) throws {
    let start = bytes.count
    append(0 as Int32)
    try write(&self)
    let length = bytes.count - start - 4
    guard length <= Int(Int32.max) else {
      throw StoreError(
        .limitExceeded, reason: "a value has \(length) bytes", suggestion: "split the value")
    }
    replace(Int32(length), at: start)
  }

  mutating func appendNullField() { append(-1 as Int32) }

  /// Appends the length of a content and the content.
  ///
  /// - Throws: A `StoreError` or a `MappingError` if a column of the type cannot
  ///   store the content.
  mutating func appendField(_ content: FieldContent, as type: PostgresType) throws {
    if case .null = content { return appendNullField() }
    try appendField { try $0.append(content, as: type) }
  }
}

extension PostgresBuffer {
  /// Appends a content that is not null.
  mutating func append(_ content: FieldContent, as type: PostgresType) throws {
    switch content {
    case .null: break
    case .bool(let value): try append(value, as: type)
    case .int64(let value): try append(value, as: type)
    case .uint64(let value): try append(value, as: type)
    case .double(let value): try append(value, as: type)
    case .decimal(let value): try append(value, as: type)
    case .string(let value): try append(value, as: type)
    case .data(let value): try append(value, as: type)
    case .date(let value): try append(value, as: type)
    case .object, .array, .dictionary:
      throw MappingError(.unsupported, found: content.summary, expected: "flat value")
    }
  }

  mutating func append(_ value: Bool, as type: PostgresType) throws {
    guard type == .bool else { return try append(value ? 1 : 0 as Int64, as: type) }
    append(value ? 1 : 0 as UInt8)
  }

  mutating func append(_ value: Int64, as type: PostgresType) throws {
    switch type {
    case .int8: append(value)
    case .int4:
      guard let small = Int32(exactly: value) else { throw outOfRange(value, type) }
      append(small)
    case .int2:
      guard let small = Int16(exactly: value) else { throw outOfRange(value, type) }
      append(small)
    case .bool:
      guard value == 0 || value == 1 else { throw mismatch("number \(value)", type) }
      append(UInt8(value))
    case .float8:
      guard let number = Double(exactly: value) else { throw outOfRange(value, type) }
      append(number.bitPattern)
    case .numeric: append(PostgresNumeric(Decimal(value)))
    case .uint64:
      guard let number = UInt64(exactly: value) else { throw outOfRange(value, type) }
      append(PostgresNumeric(number))
    default: throw mismatch("number \(value)", type)
    }
  }

  mutating func append(_ value: UInt64, as type: PostgresType) throws {
    if type == .uint64 || type == .numeric { return append(PostgresNumeric(value)) }
    try append(StoredValue.storable(value), as: type)
  }

  mutating func append(_ value: Double, as type: PostgresType) throws {
    let value = try StoredValue.storable(value)
    guard type == .float8 else { throw mismatch("number \(value)", type) }
    append(value.bitPattern)
  }

  mutating func append(_ value: Decimal, as type: PostgresType) throws {
    guard !value.isNaN else { throw MappingError.notANumber(expected: "decimal number") }
    guard type == .numeric else { throw mismatch("number \(value)", type) }
    append(PostgresNumeric(value))
  }

  private mutating func append(_ value: PostgresNumeric) {
    append(UInt16(truncatingIfNeeded: value.digits.count))
    append(Int16(truncatingIfNeeded: value.weight))
    append(value.isNegative ? 0x4000 : 0 as UInt16)
    append(UInt16(truncatingIfNeeded: value.scale))
    for digit in value.digits { append(digit) }
  }

  mutating func append(_ value: String, as type: PostgresType) throws {
    var value = value
    try value.withUTF8 { try append(text: $0, as: type) }
  }

  /// - Parameter text: Text in UTF-8.
  mutating func append(text: UnsafeBufferPointer<UInt8>, as type: PostgresType) throws {
    switch type {
    case .text:
      guard !Self.hasNullCharacter(text) else { throw Self.nullCharacter }
      append(bytes: UnsafeRawBufferPointer(text))
    case .jsonb:
      guard !StructuredValue.hasNullCharacter(text) else { throw Self.nullCharacter }
      // The version of the binary form.
      append(1 as UInt8)
      append(bytes: UnsafeRawBufferPointer(text))
    case .uuid:
      let string = String(decoding: text, as: UTF8.self)
      guard let uuid = UUID(uuidString: string) else {
        throw mismatch(FieldContent.string(string).summary, type)
      }
      withUnsafeBytes(of: uuid.uuid) { append(bytes: $0) }
    default: throw mismatch("string \(quoted(String(decoding: text, as: UTF8.self)))", type)
    }
  }

  mutating func append(_ value: Data, as type: PostgresType) throws {
    guard type == .bytea else { throw mismatch("data of \(value.count) bytes", type) }
    value.withUnsafeBytes { append(bytes: $0) }
  }

  mutating func append(_ value: Date, as type: PostgresType) throws {
    guard type == .timestamptz else { throw mismatch(FieldContent.date(value).summary, type) }
    append(try PostgresDate.microseconds(of: value))
  }

  // SAFETY: The search is limited to the bytes of the text.
  private static func hasNullCharacter(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress else { return false }
    return memchr(start, 0, text.count) != nil
  }

  private func outOfRange(_ value: Int64, _ type: PostgresType) -> StoreError {
    StoreError(.invalidValue, reason: "number \(value) is out of the range of \(type.name)")
  }

  private func mismatch(_ found: String, _ type: PostgresType) -> StoreError {
    StoreError(.invalidValue, reason: "\(found) is not a value of the type \(type.name)")
  }

  private static var nullCharacter: StoreError {
    StoreError(
      .invalidValue,
      reason: "the text contains the character U+0000, which PostgreSQL cannot store",
      suggestion: "remove the character, or store the text as data")
  }
}
