package import Foundation

extension Decimal {
  /// Creates a number from the digits of its significand.
  ///
  /// Returns nil if a `Decimal` cannot represent the number exactly.
  ///
  /// - Parameters:
  ///   - digits: The digits from 0 to 9, the most significant one first.
  ///   - exponent: The power of ten of the last digit.
  ///   - isNegative: Whether the number is less than zero.
  package init?(digits: some Collection<UInt8>, exponent: Int, isNegative: Bool) {
    var exponent = exponent
    var digits = Array(digits.drop { $0 == 0 })
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty {
      self = 0
      return
    }
    // The exponent is at most 127, so larger numbers have zeros at their end.
    let zeros = max(0, exponent - 127)
    guard digits.count + zeros <= 39 else { return nil }
    digits += [UInt8](repeating: 0, count: zeros)
    exponent -= zeros
    var significand: UInt128 = 0
    for digit in digits {
      let (product, overflows) = significand.multipliedReportingOverflow(by: 10)
      let (sum, overflowsSum) = product.addingReportingOverflow(UInt128(digit))
      // The significand has 128 bits.
      if overflows || overflowsSum { return nil }
      significand = sum
    }
    guard exponent >= -128 else { return nil }
    let sign = isNegative ? "-" : ""
    self.init(
      string: "\(sign)\(significand)e\(exponent)", locale: Locale(identifier: "en_US_POSIX"))
  }
}
