/// Powers of ten as 128-bit approximations.
// SAFETY: The tables are immutable and never freed. Indices are compared with the
// range of powers.
package struct PowersOfTen: @unchecked Sendable {
  /// The shared tables.
  package static let tables = PowersOfTen()

  /// The powers that are exact doubles.
  private let exact = table(
    (0...22).map { power in
      (0..<power).reduce(1.0) { product, _ in product * 10 }
    })

  private let integers = table(
    (0...8).map { power in
      (0..<power).reduce(UInt64(1)) { product, _ in product * 10 }
    })

  /// The powers for which a product is never too close to the middle of two doubles to
  /// be rounded.
  private static let known = -27...55

  /// Powers of five for ``known``, scaled to 128 bits.
  private let fives = table(known.map(five))

  private init() {}

  /// A power from 0 to 8.
  @inline(__always)
  package subscript(power: Int) -> UInt64 { integers[power] }

  private static func five(_ power: Int) -> UInt128 {
    if power >= 0 {
      let five = (0..<power).reduce(UInt128(1)) { product, _ in product * 5 }
      return five << UInt128(five.leadingZeroBitCount)
    }
    let five = (0..<(-power)).reduce(UInt128(1)) { product, _ in product * 5 }
    // Long division of a power of two, until the quotient has 128 bits.
    var quotient: UInt128 = 0
    var rest: UInt128 = 1
    while quotient.leadingZeroBitCount > 0 {
      rest <<= 1
      quotient <<= 1
      if rest >= five {
        rest -= five
        quotient |= 1
      }
    }
    // Above the exact value, as the algorithm requires.
    return quotient + 1
  }

  private static func table<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let table = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = table.initialize(from: elements)
    return UnsafePointer(table.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  /// The double nearest to a nonzero number times a power of ten; nil if it takes more
  /// precision to round.
  @inline(__always)
  package func double(_ digits: UInt64, _ power: Int) -> Double? {
    if digits <= 1 << 53, -22...22 ~= power {
      // Both are exact, so the result is rounded once.
      return power < 0 ? Double(digits) / exact[-power] : Double(digits) * exact[power]
    }
    guard Self.known.contains(power) else { return nil }
    let shift = digits.leadingZeroBitCount
    let five = fives[power - Self.known.lowerBound]
    let digits = digits << UInt64(shift)
    let high = digits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: five >> 64))
    var product = UInt128(high.high) << 64 | UInt128(high.low)
    // The lower half of the power matters only if it can carry.
    if high.high & 0x1FF == 0x1FF {
      let low = digits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: five))
      product += UInt128(low.high)
    }
    let (top, rest) = (
      UInt64(truncatingIfNeeded: product >> 64), UInt64(truncatingIfNeeded: product)
    )
    let isLong = top >> 63
    let drop = isLong + 9
    var mantissa = top >> drop
    // The binary exponent of the first digit: log2(10) is about 217706 / 65536.
    var exponent = (217_706 * power) >> 16 + 63 + Int(isLong) - shift + 1023
    // Exactly between two doubles: round to even.
    if rest <= 1, -4...23 ~= power, mantissa & 3 == 1, mantissa << drop == top { mantissa &= ~1 }
    mantissa = (mantissa + mantissa & 1) >> 1
    if mantissa >> 53 != 0 {
      mantissa >>= 1
      exponent += 1
    }
    return Double(
      sign: .plus, exponentBitPattern: UInt(exponent),
      significandBitPattern: mantissa & (1 << 52 - 1))
  }
}
