package import Foundation

/// A number in JSON syntax: an optional minus sign, digits without a leading
/// zero, and an optional fraction and exponent.
package struct NumberText {
  package let isNegative: Bool
  /// The digits without leading and trailing zeros.
  private let digits: [UInt8]
  /// The power of ten of the last digit, excluding ``greatExponent``.
  private let exponent: Int
  /// The digits of an exponent that may exceed the range of `Int`. Empty for
  /// smaller exponents and for the number zero.
  private let greatExponent: [UInt8]
  /// Whether there is neither a fraction nor an exponent.
  package let isPlain: Bool
  package let text: String

  /// Returns nil if the text is not a number.
  package init?(_ text: String) {
    let zero = UInt8(ascii: "0")
    var rest = text.utf8[...]
    isNegative = rest.skip("-")
    let whole = rest.digits()
    guard let first = whole.first, first != zero || whole.count == 1 else {
      return nil
    }
    var digits = Array(whole)
    var exponent = 0
    var greatExponent: [UInt8] = []
    if rest.skip(".") {
      let fraction = rest.digits()
      guard !fraction.isEmpty else { return nil }
      digits += fraction
      exponent = -fraction.count
    }
    if rest.skip("e") || rest.skip("E") {
      let sign = rest.skip("-") ? -1 : 1
      if sign == 1 { _ = rest.skip("+") }
      let spelled = rest.digits()
      guard !spelled.isEmpty else { return nil }
      let power = spelled.drop { $0 == zero }
      // No text has enough digits to compensate for such an exponent.
      if power.count > 17 { greatExponent = Array(power) }
      exponent += sign * (Int(Substring(power.prefix(17))) ?? 0)
    }
    guard rest.isEmpty else { return nil }
    isPlain = whole.count + (isNegative ? 1 : 0) == text.utf8.count
    while digits.last == zero {
      digits.removeLast()
      exponent += 1
    }
    self.digits = Array(digits.drop { $0 == zero })
    self.exponent = self.digits.isEmpty ? 0 : exponent
    self.greatExponent = self.digits.isEmpty ? [] : greatExponent
    self.text = text
  }

  /// Whether the number is an integer, such as `1.50e1`.
  package var isWhole: Bool { exponent >= 0 }

  /// Returns the number as an integer, or nil if the type cannot represent it
  /// exactly.
  package func integer<Integer: FixedWidthInteger>() -> Integer? {
    // Integers of 128 bits have 39 digits.
    guard isWhole, exponent <= 39, digits.count + exponent <= 39 else { return nil }
    let text = digits + Array(repeating: UInt8(ascii: "0"), count: exponent)
    return Integer(
      (isNegative ? "-" : "") + (text.isEmpty ? "0" : String(decoding: text, as: UTF8.self)))
  }

  /// Whether two texts represent the same number. The sign of zero is ignored.
  ///
  /// Exponents of more than 17 digits are equal only if their digits are.
  package func isEqual(to other: NumberText) -> Bool {
    digits == other.digits && exponent == other.exponent
      && greatExponent == other.greatExponent
      && (isNegative == other.isNegative || digits.isEmpty)
  }

  /// The canonical text: equal numbers have the same text. It has no exponent if
  /// the number has few zeros, and otherwise an integer significand. The text of a
  /// number with an exponent of more than 17 digits is unchanged.
  package var normalizedText: String {
    guard greatExponent.isEmpty else { return text }
    let significand = String(decoding: digits, as: UTF8.self)
    let number: String =
      switch exponent {
      case _ where digits.isEmpty: "0"
      case 0...Self.greatestZeroCount:
        significand + String(repeating: "0", count: exponent)
      case -digits.count + 1..<0:
        significand.dropLast(-exponent) + "." + significand.suffix(-exponent)
      case -digits.count - Self.greatestZeroCount..<0:
        "0." + String(repeating: "0", count: -exponent - digits.count) + significand
      default: "\(significand)e\(exponent)"
      }
    return isNegative && !digits.isEmpty ? "-" + number : number
  }

  /// The number of zeros above which numbers are written with an exponent.
  private static let greatestZeroCount = 40

  /// The nearest double, or nil if the number exceeds the range of `Double`.
  package var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// The exact decimal number, or nil if `Decimal` cannot represent it. It
  /// represents integers of 128 bits times powers of ten from -128 to 127: all
  /// numbers of up to 38 digits, and some of 39.
  package var decimal: Decimal? {
    // A negative zero would be NaN.
    guard !digits.isEmpty else { return 0 }
    guard digits.count <= 38, (-128...127).contains(exponent) else {
      return Decimal(
        digits: digits.map { $0 - UInt8(ascii: "0") }, exponent: exponent, isNegative: isNegative)
    }
    var significand = Decimal(0)
    var rest = digits[...]
    // Converts as many digits at a time as 64 bits can represent.
    while !rest.isEmpty {
      var (part, scale): (UInt64, UInt64) = (0, 1)
      for digit in rest.prefix(18) {
        part = part * 10 + UInt64(digit - UInt8(ascii: "0"))
        scale *= 10
      }
      significand = significand * Decimal(scale) + Decimal(part)
      rest = rest.dropFirst(18)
    }
    let decimal = Decimal(
      sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    return decimal.isFinite ? decimal : nil
  }
}

extension Substring.UTF8View {
  fileprivate mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func digits() -> Substring.UTF8View {
    let digits = prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    self = self[digits.endIndex...]
    return digits
  }
}
