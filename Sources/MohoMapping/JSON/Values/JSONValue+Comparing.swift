// Not recursive: values may have any number of levels.
extension JSONValue: Hashable {
  /// Whether two values are equal.
  ///
  /// Numbers are equal if they have the same value, whatever their case: `.integer(1)`,
  /// `.number(1.0)` and an exact `1.0` are equal, and so are `0.0` and `-0.0`. The value of
  /// a double is that of its shortest text. Strings and keys are equal if they have the
  /// same UTF-8 bytes. Objects are equal if their members are equal in the same order.
  ///
  /// - Complexity: Linear in the size of the values.
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    var pending = [(one, other)]
    while let (one, other) = pending.popLast() {
      switch (one, other) {
      case (.array(let one), .array(let other)):
        guard one.count == other.count else { return false }
        if !one.isIdentical(to: other) { pending += zip(one.array, other.array) }
      case (.object(let one), .object(let other)):
        guard one.count == other.count else { return false }
        if one.isIdentical(to: other) { continue }
        for (member, counterpart) in zip(one.array, other.array) {
          guard member.key.hasSameBytes(as: counterpart.key) else { return false }
          pending.append((member.value, counterpart.value))
        }
      default:
        guard one.isEqualScalar(to: other) else { return false }
      }
    }
    return true
  }

  /// Hashes the value. Equal numbers have equal hashes, whatever their case.
  ///
  /// - Complexity: Linear in the size of the value.
  public func hash(into hasher: inout Hasher) {
    var pending = [self]
    while let value = pending.popLast() {
      switch value {
      case .null: hasher.combine(0)
      case .bool(let value):
        hasher.combine(1)
        hasher.combine(value)
      case .integer(let value):
        hasher.combine(2)
        hasher.combine(Double(value))
      case .number(let value):
        hasher.combine(2)
        hasher.combine(value)
      case .exact(let number):
        hasher.combine(2)
        hasher.combine(number.nearestDouble)
      case .string(let value):
        hasher.combine(3)
        value.hashBytes(into: &hasher)
      case .array(let elements):
        hasher.combine(4)
        hasher.combine(elements.count)
        pending += elements.array.reversed()
      case .object(let members):
        hasher.combine(5)
        hasher.combine(members.count)
        for member in members.array { member.key.hashBytes(into: &hasher) }
        pending += members.array.reversed().map(\.value)
      }
    }
  }

  private func isEqualScalar(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.integer(let one), .integer(let other)): one == other
    case (.number(let one), .number(let other)): one == other
    default:
      if let one = numberText, let other = other.numberText {
        one.isEqual(to: other)
      } else {
        false
      }
    }
  }

  /// The text of a finite number.
  private var numberText: NumberText? {
    switch self {
    case .integer(let value): NumberText("\(value)")
    case .number(let value): NumberText("\(value)")
    case .exact(let number): NumberText(number.text)
    default: nil
    }
  }
}

extension JSONValue.Member: Hashable {
  /// Whether both have the same key, by its UTF-8 bytes, and equal values.
  public static func == (one: Self, other: Self) -> Bool {
    one.key.hasSameBytes(as: other.key) && one.value == other.value
  }

  /// Hashes the key and the value.
  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension JSONValue {
  /// The value with its number in canonical form: an integer if 64 bits represent it,
  /// else a double if one represents it, else the canonical text.
  var withStoredNumber: JSONValue {
    switch self {
    case .number(let value): value.storedInteger.map { .integer($0) } ?? self
    case .exact(let number): number.stored
    default: self
    }
  }
}

extension Double {
  /// The integer that the shortest text of the number represents, if 64 bits
  /// represent it.
  fileprivate var storedInteger: Int64? {
    abs(self) <= 0x1p53 ? Int64(exactly: self) : NumberText("\(self)")?.integer()
  }
}

extension JSONNumber {
  fileprivate var stored: JSONValue {
    guard let number = NumberText(text) else { return .exact(self) }
    if let integer: Int64 = number.integer() { return .integer(integer) }
    if let double = number.double, NumberText("\(double)")?.isEqual(to: number) == true {
      return .number(double)
    }
    return .exact(JSONNumber(number.normalizedText) ?? self)
  }
}
