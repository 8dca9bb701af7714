/// An exact sum of floating-point numbers, which is rounded once.
///
/// The sum does not depend on the order of the numbers, as that of PostgreSQL's
/// `moho_total`. It is a number with fixed point, in digits of 32 bits: the smallest digit
/// contains the last bit of the smallest positive number.
struct ExactDoubleSum {
  /// Digits with carries, the least significant one first.
  private var digits = [Int64](repeating: 0, count: digitCount)
  /// The number of sums since carries were last propagated.
  private var pendingCount = 0
  private var positiveInfinityCount = 0
  private var negativeInfinityCount = 0

  /// The digits of the greatest number, and of the carries of 2^63 numbers.
  private static let digitCount = 68
  private static let mask: Int64 = 0xFFFF_FFFF

  mutating func add(_ number: Double) {
    guard number.isFinite else {
      if number == .infinity { positiveInfinityCount += 1 }
      if number == -.infinity { negativeInfinityCount += 1 }
      return
    }
    // The position of the last bit of the significand.
    let position = max(Int(number.exponentBitPattern), 1) - 1
    let implicitBit: UInt64 = number.exponentBitPattern > 0 ? 1 << 52 : 0
    let bits = UInt128(number.significandBitPattern | implicitBit) << UInt128(position % 32)
    for index in 0..<3 {
      let digit = Int64(truncatingIfNeeded: bits >> UInt128(32 * index)) & Self.mask
      digits[position / 32 + index] += number.sign == .minus ? -digit : digit
    }
    pendingCount += 1
    if pendingCount == 1 << 30 { propagateCarries() }
  }

  /// Makes all digits except the last one less than 2^32 and not negative.
  private mutating func propagateCarries() {
    var carry: Int64 = 0
    for index in digits.indices.dropLast() {
      let digit = digits[index] + carry
      digits[index] = digit & Self.mask
      carry = digit >> 32
    }
    digits[Self.digitCount - 1] += carry
    pendingCount = 0
  }

  /// The nearest number. Not a number if the numbers have infinities of both signs.
  var value: Double {
    if positiveInfinityCount + negativeInfinityCount > 0 {
      return negativeInfinityCount == 0
        ? .infinity : positiveInfinityCount == 0 ? -.infinity : .nan
    }
    var sum = self
    sum.propagateCarries()
    let isNegative = (sum.digits.last ?? 0) < 0
    if isNegative {
      sum.digits = sum.digits.map { -$0 }
      sum.propagateCarries()
    }
    let magnitude = sum.magnitude
    return isNegative ? -magnitude : magnitude
  }

  /// The nearest number to digits that are not negative.
  private var magnitude: Double {
    guard let highest = digits.lastIndex(where: { $0 != 0 }) else { return 0 }
    // The highest three digits have at least 65 bits, if there are so many.
    let lowest = max(highest - 2, 0)
    var bits = UInt128(0)
    for digit in digits[lowest...highest].reversed() { bits = bits << 32 | UInt128(digit) }
    let shift = max(0, 128 - bits.leadingZeroBitCount - 64)
    var significand = UInt64(truncatingIfNeeded: bits >> UInt128(shift))
    // A number halfway between two others must not be rounded to the even one if there are
    // more bits.
    let hasMoreBits =
      bits & (1 << UInt128(shift) - 1) != 0 || digits[..<lowest].contains { $0 != 0 }
    if hasMoreBits { significand |= 1 }
    return Double(
      sign: .plus, exponent: lowest * 32 + shift - 1074, significand: Double(significand))
  }
}
