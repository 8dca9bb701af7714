import MohoMapping

/// An array of values of one type, as an argument, or as a column of a `COPY`.
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
  var isNull: Bool { hasNull }

  func writeElement(to buffer: inout PostgresBuffer) {
    // The length of the element precedes it.
    elements.bytes.withUnsafeBytes { buffer.append(bytes: .init(rebasing: $0.dropFirst(4))) }
  }

  func write(to buffer: inout PostgresBuffer) {
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

  /// Appends the length and the value of an element to a buffer, as rows of a
  /// `COPY` have them.
  ///
  /// - Parameter offset: The offset of the element, which becomes that of the next
  ///   one.
  @inline(__always)
  func writeElement(at offset: inout Int, to buffer: inout PostgresBuffer) {
    elements.bytes.withUnsafeBytes { bytes in
      let end = offset + Self.size(at: offset, bytes)
      buffer.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      offset = end
    }
  }

  /// Returns an array of some elements.
  ///
  /// - Parameter indexes: The positions of the elements, which ascend.
  func elements(at indexes: some Collection<Int>) -> PostgresArray {
    var result = PostgresArray(type)
    var (index, offset) = (0, 0)
    elements.bytes.withUnsafeBytes { bytes in
      for wanted in indexes {
        while index < wanted {
          offset += Self.size(at: offset, bytes)
          index += 1
        }
        result.lastStart = result.elements.count
        result.hasNull = result.hasNull || bytes[offset] == 0xFF
        writeElement(at: &offset, to: &result.elements)
        index += 1
        result.count += 1
      }
    }
    return result
  }

  /// Returns the number of bytes of an element and its length. The length is -1
  /// for null.
  @inline(__always)
  private static func size(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
    4 + max(0, Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))))
  }
}
