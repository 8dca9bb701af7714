import Foundation

// The only definition of equality: change detection, saves, contexts, unique
// keys, conflicts, histories and results compare contents.
extension FieldContent: Hashable {
  /// Whether a store would store both contents as the same value.
  ///
  /// Strings are equal if they have the same UTF-8 bytes, also as names of
  /// members: Swift considers the composed and the decomposed form of `"é"`
  /// equal, but stores do not. Zero and negative zero are equal. Decimals are
  /// equal if they have the same value, and so are dates. Contents of different
  /// cases are not equal.
  public static func == (one: FieldContent, other: FieldContent) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.int64(let one), .int64(let other)): one == other
    case (.uint64(let one), .uint64(let other)): one == other
    case (.double(let one), .double(let other)): one.isSameNumber(as: other)
    case (.decimal(let one), .decimal(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.data(let one), .data(let other)): one == other
    case (.date(let one), .date(let other)):
      one.timeIntervalSinceReferenceDate.isSameNumber(as: other.timeIntervalSinceReferenceDate)
    case (.object(let one), .object(let other)), (.array(let one), .array(let other)): one == other
    case (.dictionary(let one), .dictionary(let other)): isSame(one, other)
    default: false
    }
  }

  /// Hashes the value that a store would store.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .int64(let value): hasher.combine(value)
    case .uint64(let value): hasher.combine(value)
    case .double(let value): value.hashNumber(into: &hasher)
    case .decimal(let value): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .data(let value): hasher.combine(value)
    case .date(let value): value.timeIntervalSinceReferenceDate.hashNumber(into: &hasher)
    case .object(let fields), .array(let fields): hasher.combine(fields)
    case .dictionary(let members): hasher.combine(members.count)
    }
  }

  private static func isSame(
    _ one: [String: FieldContent], _ other: [String: FieldContent]
  ) -> Bool {
    one.count == other.count
      && one.allSatisfy { name, value in
        // The index finds names that Swift considers equal.
        guard let index = other.index(forKey: name) else { return false }
        return other[index].key.hasSameBytes(as: name) && other[index].value == value
      }
  }
}

extension Double {
  /// Whether both numbers are equal, or both are not a number.
  package func isSameNumber(as other: Double) -> Bool { self == other || isNaN && other.isNaN }

  /// Hashes the number: alike for all numbers that are not a number.
  fileprivate func hashNumber(into hasher: inout Hasher) {
    hasher.combine(isNaN ? Double.nan : self)
  }
}

extension String {
  /// Whether both texts have the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        // SAFETY: Both have `one.count` bytes, for as long as the closures run.
        return memcmp(start, otherStart, one.count) == 0
      }
    }
  }

  /// Whether the UTF-8 bytes of this text precede those of another one.
  func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Hashes the UTF-8 bytes.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}

extension Sequence {
  /// Returns the elements in the order of the UTF-8 bytes of their texts.
  func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy {
      !text($1).precedesInBytes(text($0))
    }
    return isSorted ? elements : elements.sorted { text($0).precedesInBytes(text($1)) }
  }
}
