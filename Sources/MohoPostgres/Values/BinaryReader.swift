/// Reads the elements of a record or an array in binary form.
// SAFETY: All reads are within the bounds of the buffer.
struct BinaryReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  mutating func integer() -> Int? {
    guard rest.count >= 4 else { return nil }
    let value = Int64(binary: UnsafeRawBufferPointer(rebasing: rest.prefix(4)))
    rest = rest.dropFirst(4)
    return value.map { Int($0) }
  }

  /// Returns a value after its length, which is nil for null. Returns nil if there
  /// is no value.
  mutating func value() -> UnsafeRawBufferPointer?? {
    guard let count = integer(), count <= rest.count else { return nil }
    let value = count < 0 ? nil : UnsafeRawBufferPointer(rebasing: rest.prefix(count))
    rest = rest.dropFirst(max(count, 0))
    return .some(value)
  }

  /// Reads the header of an array with at most one dimension, and returns the number
  /// of its elements.
  mutating func arrayCount() -> Int? {
    // The number of dimensions, whether there are nulls, and the type.
    guard let dimensions = integer(), integer() != nil, integer() != nil else { return nil }
    if dimensions == 0 { return 0 }
    // The number of elements, and the index of the first one.
    guard dimensions == 1, let count = integer(), integer() != nil else { return nil }
    return count
  }
}

extension Int64 {
  /// Creates an integer from the binary form of an integer or a Boolean value.
  /// Returns nil if there is another number of bytes.
  // SAFETY: The number of bytes is checked.
  @inline(__always)
  init?(binary bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 8: self = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case 4: self = Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 2: self = Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 1: self = Int64(bytes[0])
    default: return nil
    }
  }
}
