package import Foundation
import MohoMapping

/// A decimal number with any number of digits, for calculations whose result is
/// rounded once.
///
/// `Decimal` rounds intermediate results, and its precision depends on the
/// operands.
package struct ExactDecimal {
  /// The number of digits that a result has at most. All integers with so many
  /// digits are significands of a `Decimal`.
  static let maximumDigitCount = 38
  /// The exponents of a `Decimal`.
  private static let exponents = -128...127

  private var isNegative: Bool
  /// The digits of the significand, the most significant one first, without
  /// leading zeros.
  private var digits: [UInt8]
  /// The power of ten of the last digit.
  private var exponent: Int

  package static let zero = ExactDecimal(isNegative: false, digits: [], exponent: 0)

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.exponent = exponent
  }

  /// - Parameter decimal: A number, not NaN.
  package init(_ decimal: Decimal) {
    isNegative = decimal.isSignMinus
    digits = decimal.significand.description.utf8.compactMap { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? byte &- UInt8(ascii: "0") : nil
    }
    digits.removeFirst(digits.prefix { $0 == 0 }.count)
    exponent = digits.isEmpty ? 0 : decimal.exponent
  }

  /// The number rounded to 38 digits and to 128 digits after the point. A number
  /// halfway between two others is rounded away from zero. Nil if the number is
  /// too large for a `Decimal`.
  package var decimal: Decimal? {
    let count = digits.count
    guard count + exponent <= Self.maximumDigitCount + Self.exponents.upperBound else {
      return nil
    }
    let rest = max(count - Self.maximumDigitCount, Self.exponents.lowerBound - exponent)
    guard rest > 0 else { return exactDecimal }
    if rest > count { return 0 }
    var rounded = self
    rounded.digits.removeLast(rest)
    rounded.exponent += rest
    if digits[count - rest] >= 5 { rounded.increment() }
    return rounded.exactDecimal
  }

  private var exactDecimal: Decimal? {
    Decimal(digits: digits, exponent: exponent, isNegative: isNegative)
  }

  /// Adds 1 to the significand.
  private mutating func increment() {
    for index in digits.indices.reversed() {
      if digits[index] < 9 {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
  }
}

extension ExactDecimal {
  package static prefix func - (value: ExactDecimal) -> ExactDecimal {
    ExactDecimal(
      isNegative: !value.isNegative, digits: value.digits, exponent: value.exponent)
  }

  package static func + (one: ExactDecimal, other: ExactDecimal) -> ExactDecimal {
    if one.digits.isEmpty { return other }
    if other.digits.isEmpty { return one }
    let exponent = min(one.exponent, other.exponent)
    let (left, right) = (one.digits(from: exponent), other.digits(from: exponent))
    if one.isNegative == other.isNegative {
      return ExactDecimal(
        isNegative: one.isNegative, digits: sum(left, right), exponent: exponent)
    }
    let isLess =
      left.count != right.count
      ? left.count < right.count : left.lexicographicallyPrecedes(right)
    return ExactDecimal(
      isNegative: isLess ? other.isNegative : one.isNegative,
      digits: isLess ? difference(right, left) : difference(left, right), exponent: exponent)
  }

  package static func * (one: ExactDecimal, other: ExactDecimal) -> ExactDecimal {
    if one.digits.isEmpty || other.digits.isEmpty { return zero }
    // Sums of the products of digits, the least significant one first.
    var products = [UInt32](repeating: 0, count: one.digits.count + other.digits.count)
    for (index, digit) in one.digits.reversed().enumerated() {
      for (otherIndex, otherDigit) in other.digits.reversed().enumerated() {
        products[index + otherIndex] += UInt32(digit) * UInt32(otherDigit)
      }
    }
    var carry: UInt32 = 0
    var digits = products.map { product in
      let sum = product + carry
      carry = sum / 10
      return UInt8(sum % 10)
    }
    while digits.last == 0 { digits.removeLast() }
    return ExactDecimal(
      isNegative: one.isNegative != other.isNegative, digits: digits.reversed(),
      exponent: one.exponent + other.exponent)
  }

  /// The quotient of two numbers that have the digits of a `Decimal`, truncated
  /// after more digits than a result has.
  ///
  /// - Parameter other: A number other than zero.
  package static func / (one: ExactDecimal, other: ExactDecimal) -> ExactDecimal {
    guard let dividend = one.significand, let divisor = other.significand, divisor > 0 else {
      return zero
    }
    var (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    var digits: [UInt8] = []
    while quotient > 0 {
      digits.append(UInt8(quotient % 10))
      quotient /= 10
    }
    digits.reverse()
    var exponent = one.exponent - other.exponent
    while remainder > 0, digits.count <= maximumDigitCount {
      let digit: UInt128
      (digit, remainder) = divisor.dividingFullWidth(remainder.multipliedFullWidth(by: 10))
      if digit > 0 || !digits.isEmpty { digits.append(UInt8(digit)) }
      exponent -= 1
    }
    return ExactDecimal(
      isNegative: one.isNegative != other.isNegative, digits: digits, exponent: exponent)
  }

  /// The digits down to a power of ten, which must be at most the exponent.
  private func digits(from exponent: Int) -> [UInt8] {
    digits + [UInt8](repeating: 0, count: self.exponent - exponent)
  }

  private var significand: UInt128? {
    digits.count <= 39 ? digits.reduce(0) { $0 * 10 + UInt128($1) } : nil
  }

  private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var result = one.count < other.count ? other : one
    let addend = one.count < other.count ? one : other
    var carry: UInt8 = 0
    for offset in 1...result.count {
      if offset > addend.count, carry == 0 { break }
      let digit = offset <= addend.count ? addend[addend.count - offset] : 0
      let sum = result[result.count - offset] + digit + carry
      result[result.count - offset] = sum % 10
      carry = sum / 10
    }
    if carry > 0 { result.insert(carry, at: 0) }
    return result
  }

  /// The difference of two numbers, the first of which is not less.
  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var result = one
    var borrow: UInt8 = 0
    for offset in stride(from: 1, through: result.count, by: 1) {
      if offset > other.count, borrow == 0 { break }
      let digit = (offset <= other.count ? other[other.count - offset] : 0) + borrow
      let index = result.count - offset
      borrow = result[index] < digit ? 1 : 0
      result[index] = result[index] + borrow * 10 - digit
    }
    result.removeFirst(result.prefix { $0 == 0 }.count)
    return result
  }
}
