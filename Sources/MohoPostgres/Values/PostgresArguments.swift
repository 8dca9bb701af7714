import Foundation
import MohoMapping

/// The values of the parameters `$1`, `$2` and so on of a statement, in binary
/// form.
struct PostgresArguments {
  private(set) var types: [UInt32] = []
  /// The offsets of the values, or nil for null.
  private var offsets: [Int?] = []
  private var lengths: [Int32] = []
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
    let formats = [Int32](repeating: 1, count: types.count)
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

/// An array of values of one type, as an argument.
struct PostgresArray {
  let type: PostgresType
  private(set) var count = 0
  private var hasNull = false
  private var elements = PostgresBuffer()
  /// The offset of the last element.
  private var lastStart = 0

  /// The number of bytes of the elements.
  var size: Int { elements.count }

  init(_ type: PostgresType, capacity: Int = 0) {
    self.type = type
    if capacity > 0 { elements.reserve(capacity) }
  }

  mutating func removeAll() {
    count = 0
    hasNull = false
    elements.removeAll()
  }

  mutating func append(_ content: FieldContent) throws {
    if case .null = content { return appendNull() }
    lastStart = elements.count
    try elements.appendField(content, as: type)
    count += 1
  }

  /// Appends an element that a closure writes.
  mutating func append(_ write: (inout PostgresBuffer) throws -> Void) throws {
    lastStart = elements.count
    try elements.appendField(write)
    count += 1
  }

  /// Appends an element to an array of the type `int8`.
  mutating func append(_ value: Int64) {
    lastStart = elements.count
    elements.append(8 as Int32)
    elements.append(value)
    count += 1
  }

  /// Removes the last element. The next call must append an element.
  mutating func removeLast() {
    elements.truncate(to: lastStart)
    count -= 1
  }

  mutating func appendNull() {
    lastStart = elements.count
    elements.appendNullField()
    hasNull = true
    count += 1
  }

  /// Whether the only element is null.
  fileprivate var isNull: Bool { hasNull }

  fileprivate func writeElement(to buffer: inout PostgresBuffer) {
    // The length of the element precedes it.
    elements.bytes.withUnsafeBytes { buffer.append(bytes: .init(rebasing: $0.dropFirst(4))) }
  }

  fileprivate func write(to buffer: inout PostgresBuffer) {
    // The number of dimensions, whether there are nulls, and the type.
    buffer.append(count == 0 ? 0 : 1 as Int32)
    buffer.append(hasNull ? 1 : 0 as Int32)
    buffer.append(type.oid)
    if count == 0 { return }
    // The number of elements, and the index of the first one.
    buffer.append(Int32(clamping: count))
    buffer.append(1 as Int32)
    elements.bytes.withUnsafeBytes { buffer.append(bytes: $0) }
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
