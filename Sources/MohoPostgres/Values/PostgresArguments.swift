import Foundation
import MohoMapping

/// The values of the parameters `$1`, `$2` and so on of a statement. They are in binary
/// form, except for those whose type the server infers.
struct PostgresArguments {
  private(set) var types: [UInt32] = []
  /// The offsets of the values, or nil for null.
  private var offsets: [Int?] = []
  private var lengths: [Int32] = []
  /// The indexes of the values that are null-terminated text.
  private var texts: [Int] = []
  /// Begins with a byte, so that empty values have an address, too.
  private var buffer: PostgresBuffer

  init() {
    buffer = PostgresBuffer()
    buffer.append(0 as UInt8)
  }

  var count: Int { types.count }

  /// - Throws: A `StoreError` or a `MappingError` if a column of the type cannot
  ///   store the content.
  mutating func append(_ content: FieldContent, as type: PostgresType) throws {
    if case .null = content { return appendNull(type) }
    try append(type.oid) { try $0.append(content, as: type) }
  }

  mutating func appendNull(_ type: PostgresType) {
    types.append(type.oid)
    offsets.append(nil)
    lengths.append(0)
  }

  /// Appends a text of a type that the server infers.
  mutating func append(untyped text: String) throws {
    texts.append(count)
    try append(Self.inferredType) { try $0.append(text, as: .text) }
    buffer.append(0 as UInt8)
  }

  /// Appends null of a type that the server infers.
  mutating func appendUntypedNull() {
    types.append(Self.inferredType)
    offsets.append(nil)
    lengths.append(0)
  }

  /// The object identifier of a type that the server infers.
  static let inferredType: UInt32 = 0

  mutating func append(_ value: Int64) { append(PostgresType.int8.oid) { $0.append(value) } }

  mutating func append(_ value: Bool) {
    append(PostgresType.bool.oid) { $0.append(value ? 1 : 0 as UInt8) }
  }

  mutating func append(_ text: String) throws {
    try append(PostgresType.text.oid) { try $0.append(text, as: .text) }
  }

  mutating func append(_ values: some Collection<Int64>) {
    var array = PostgresArray(.int8, capacity: values.count * 12)
    for value in values { array.append(value) }
    append(array)
  }

  mutating func append(_ texts: some Collection<String>) throws {
    var array = PostgresArray(.text)
    for text in texts { try array.append(.string(text)) }
    append(array)
  }

  mutating func append(_ array: PostgresArray) {
    append(array.type.arrayOID) { array.write(to: &$0) }
  }

  /// Appends the only element of an array as a single value.
  mutating func append(elementOf array: PostgresArray) {
    if array.isNull { return appendNull(array.type) }
    append(array.type.oid) { array.writeElement(to: &$0) }
  }

  private mutating func append(
    _ type: UInt32, _ write: (inout PostgresBuffer) throws -> Void
  ) rethrows {
    let start = buffer.count
    try write(&buffer)
    types.append(type)
    offsets.append(start)
    lengths.append(Int32(clamping: buffer.count - start))
  }

  /// Calls a closure with the bytes of an argument, or with nil if it is null.
  // SAFETY: The bytes are valid while the closure runs.
  func withBytes<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer?) throws -> Result
  ) rethrows -> Result {
    guard let offset = offsets[index] else { return try body(nil) }
    return try buffer.bytes.withUnsafeBytes { bytes in
      try body(.init(rebasing: bytes[offset..<offset + Int(lengths[index])]))
    }
  }

  /// Calls a closure with the arguments of libpq's functions.
  // SAFETY: The pointers are valid while the closure runs.
  func withValues<Result>(
    _ body: (
      _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
      _ formats: UnsafePointer<Int32>?
    ) throws -> Result
  ) rethrows -> Result {
    if types.isEmpty { return try body(nil, nil, nil) }
    var formats = [Int32](repeating: 1, count: types.count)
    for index in texts { formats[index] = 0 }
    return try buffer.bytes.withUnsafeBytes { bytes in
      let values = offsets.map { offset in
        offset.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return try values.withUnsafeBufferPointer { values in
        try lengths.withUnsafeBufferPointer { lengths in
          try formats.withUnsafeBufferPointer { formats in
            try body(values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}

/// A statement and its arguments.
struct PostgresQuery {
  let sql: String
  let arguments: PostgresArguments
  /// Whether the statement may be prepared. A prepared statement may have a plan
  /// from a time when its tables were small, which is slow for long arrays.
  let isPrepared: Bool

  init(
    _ sql: String, _ arguments: PostgresArguments = PostgresArguments(), isPrepared: Bool = true
  ) {
    self.sql = sql
    self.arguments = arguments
    self.isPrepared = isPrepared
  }
}
