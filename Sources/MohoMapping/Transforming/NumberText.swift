package import Foundation

/// Numbers in text that spells a number as JSON does: a minus sign or none,
/// digits without a zero in front, and, where the number need not be whole, a
/// fraction and an exponent. Nothing before, between or behind.
package struct NumberText {
  package let isNegative: Bool
  /// The digits without the zeros in front and behind.
  private let digits: [UInt8]
  /// The power of ten of the last digit, without ``greatExponent``.
  private let exponent: Int
  /// The digits of an exponent that `Int` may not hold; empty for others, and for
  /// zero.
  private let greatExponent: [UInt8]
  /// Whether there is neither fraction nor exponent.
  package let isPlain: Bool
  package let text: String

  /// Nil where the text is not a number's.
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
      // A text is shorter than this power, so that no digits make up for it.
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

  /// Whether the number has no fraction, however it is spelled.
  package var isWhole: Bool { exponent >= 0 }

  /// The integer that is exactly this number, or nil where the type has none.
  package func integer<Integer: FixedWidthInteger>() -> Integer? {
    // Integers of 128 bits have 39 digits.
    guard isWhole, exponent <= 39, digits.count + exponent <= 39 else { return nil }
    let text = digits + Array(repeating: UInt8(ascii: "0"), count: exponent)
    return Integer(
      (isNegative ? "-" : "") + (text.isEmpty ? "0" : String(decoding: text, as: UTF8.self)))
  }

  /// Whether another text spells the same number. Zero has no sign.
  ///
  /// Two exponents of more than 17 digits must be spelled with the same digits.
  package func isEqual(to other: NumberText) -> Bool {
    digits == other.digits && exponent == other.exponent
      && greatExponent == other.greatExponent
      && (isNegative == other.isNegative || digits.isEmpty)
  }

  /// The nearest double, or nil where the number is greater than all of them.
  package var double: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  /// The decimal number that is exactly this one, or nil where there is none.
  ///
  /// Numbers of up to 38 digits, with powers of ten from -128 to 127, are
  /// exact.
  package var decimal: Decimal? {
    guard digits.count <= 38, (-128...127).contains(exponent) else { return nil }
    // Decimals have a sign on zero that makes them no number.
    guard !digits.isEmpty else { return 0 }
    var significand = Decimal(0)
    var rest = digits[...]
    // As many digits at a time as 64 bits hold.
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
