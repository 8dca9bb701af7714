// The equality of `String` uses Unicode canonical equivalence, that of the
// database does not. If keys that are distinct in the database were equal here,
// a correctly ordered result would appear to be misordered.

extension SectionKey: Hashable {
  /// Compares numbers by value and texts by their UTF-8 bytes.
  public static func == (lhs: SectionKey, rhs: SectionKey) -> Bool {
    switch (lhs, rhs) {
    case (.all, .all), (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      Int64(exactly: real) == integer
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// Hashes numbers by value and texts by their UTF-8 bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .all:
      hasher.combine(0 as UInt8)
    case .null:
      hasher.combine(1 as UInt8)
    case .integer(let value):
      hasher.combine(2 as UInt8)
      hasher.combine(value)
    case .real(let value):
      if let integer = Int64(exactly: value) {
        hasher.combine(2 as UInt8)
        hasher.combine(integer)
      } else {
        hasher.combine(3 as UInt8)
        hasher.combine(value)
      }
    case .text(let value):
      hasher.combine(4 as UInt8)
      for byte in value.utf8 { hasher.combine(byte) }
    }
  }
}
