import Foundation
import MohoMapping

/// The binary form of `numeric`: a sign, and digits in base 10,000.
struct PostgresNumeric: Equatable {
  /// The power of 10,000 of the first digit.
  var weight = 0
  var isNegative = false
  /// The number of decimal digits after the point.
  var scale = 0
  var digits: [UInt16] = []

  init(_ integer: UInt64) {
    var rest = integer
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10_000)
      if digit > 0 || !digits.isEmpty { digits.append(UInt16(digit)) }
      weight += 1
      rest = quotient
    }
    digits.reverse()
    weight = max(0, weight - 1)
  }

  init(_ decimal: Decimal) {
    self.init(text: decimal.description)
  }

  /// - Parameter text: Decimal digits with an optional sign and point.
  private init(text: String) {
    var integer: [UInt8] = []
    var fraction: [UInt8] = []
    var isFraction = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isFraction { fraction.append(byte &- 48) } else { integer.append(byte &- 48) }
      default: break
      }
    }
    scale = fraction.count
    // Align both parts with groups of four digits.
    let leading = (4 - integer.count % 4) % 4
    let trailing = (4 - fraction.count % 4) % 4
    let all =
      [UInt8](repeating: 0, count: leading) + integer + fraction
      + [UInt8](repeating: 0, count: trailing)
    weight = (integer.count + leading) / 4 - 1
    digits = stride(from: 0, to: all.count, by: 4).map { start in
      all[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1) }
    }
    while digits.last == 0 { digits.removeLast() }
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    weight -= zeros
    if digits.isEmpty { (weight, isNegative) = (0, false) }
  }

  /// Returns nil if the bytes are not a finite number.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 8 else { return nil }
    func word(_ index: Int) -> UInt16 {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }
    let count = Int(word(0))
    guard bytes.count == 8 + count * 2 else { return nil }
    weight = Int(Int16(bitPattern: word(1)))
    switch word(2) {
    case 0: isNegative = false
    case 0x4000: isNegative = true
    default: return nil
    }
    scale = Int(word(3))
    digits = (0..<count).map { word(4 + $0) }
  }

  /// The number, or nil if it is not an unsigned integer of 64 bits.
  var unsignedInteger: UInt64? {
    if digits.isEmpty { return 0 }
    // 10,000 to the power of 5 is out of range.
    guard !isNegative, digits.count <= weight + 1, weight < 5 else { return nil }
    var value: UInt64 = 0
    for position in 0...weight {
      let digit = position < digits.count ? UInt64(digits[position]) : 0
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10_000)
      let (sum, isSumTooLarge) = product.addingReportingOverflow(digit)
      if isTooLarge || isSumTooLarge { return nil }
      value = sum
    }
    return value
  }

  /// The number, or nil if a `Decimal` cannot represent it exactly.
  var decimal: Decimal? {
    if digits.isEmpty { return 0 }
    var exponent = (weight - digits.count + 1) * 4
    var significand: UInt64 = 0
    if digits.count <= 4 {
      for digit in digits { significand = significand * 10_000 + UInt64(digit) }
      while significand % 10 == 0 {
        significand /= 10
        exponent += 1
      }
      // Larger exponents need zeros at the end of the significand.
      guard (-128...127).contains(exponent) else {
        return Decimal(
          digits: String(significand).utf8.map { $0 &- UInt8(ascii: "0") }, exponent: exponent,
          isNegative: isNegative)
      }
      return Decimal(
        sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(significand))
    }
    let decimalDigits = digits.flatMap { digit in
      [digit / 1000, digit / 100 % 10, digit / 10 % 10, digit % 10].map { UInt8($0) }
    }
    return Decimal(digits: decimalDigits, exponent: exponent, isNegative: isNegative)
  }
}
