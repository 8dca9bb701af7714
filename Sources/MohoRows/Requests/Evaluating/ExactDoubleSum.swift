/// An exact sum of floating-point numbers, which is rounded once.
///
/// The sum does not depend on the order of additions and removals. It is a number with fixed
/// point, in digits of 32 bits, of which only those around the present numbers are stored.
package struct ExactDoubleSum: Sendable {
  /// Digits with carries, the least significant one first. The last digit has only carries.
  private var digits: [Int64] = []
  /// The position of the first digit. The digit at position 0 contains the last bit of the
  /// smallest positive number.
  private var start = 0
  /// The number of sums since carries were last propagated.
  private var pendingCount = 0
  private var positiveInfinityCount = 0
  private var negativeInfinityCount = 0

  private static let mask: Int64 = 0xFFFF_FFFF
  /// The digits of a number, and one for carries.
  private static let digitsOfNumber = 4

  package init() {}

  package mutating func add(_ number: Double) {
    if number.isFinite { change(by: number) } else { countInfinity(number, by: 1) }
  }

  /// Removes a number that was added before.
  package mutating func remove(_ number: Double) {
    if number.isFinite { change(by: -number) } else { countInfinity(number, by: -1) }
  }

  /// The nearest number. Not a number if the numbers have infinities of both signs.
  package var value: Double {
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

  private mutating func countInfinity(_ number: Double, by count: Int) {
    if number == .infinity { positiveInfinityCount += count }
    if number == -.infinity { negativeInfinityCount += count }
  }

  private mutating func change(by number: Double) {
    // The position of the last bit of the significand.
    let position = max(Int(number.exponentBitPattern), 1) - 1
    let implicitBit: UInt64 = number.exponentBitPattern > 0 ? 1 << 52 : 0
    let bits = UInt128(number.significandBitPattern | implicitBit) << UInt128(position % 32)
    store(digitsFrom: position / 32)
    let first = position / 32 - start
    for index in 0..<Self.digitsOfNumber - 1 {
      let digit = Int64(truncatingIfNeeded: bits >> UInt128(32 * index)) & Self.mask
      digits[first + index] += number.sign == .minus ? -digit : digit
    }
    pendingCount += 1
    if pendingCount == 1 << 30 { propagateCarries() }
  }

  /// Stores the digits of a number whose first digit has a position.
  private mutating func store(digitsFrom position: Int) {
    if digits.isEmpty { start = position }
    if position < start {
      digits.insert(contentsOf: repeatElement(0, count: start - position), at: 0)
      start = position
    }
    let missing = position + Self.digitsOfNumber - start - digits.count
    if missing > 0 { digits += repeatElement(0, count: missing) }
  }

  /// Makes all digits except the last one less than 2^32 and not negative.
  private mutating func propagateCarries() {
    var carry: Int64 = 0
    for index in digits.indices.dropLast() {
      let digit = digits[index] + carry
      digits[index] = digit & Self.mask
      carry = digit >> 32
    }
    if let last = digits.indices.last { digits[last] += carry }
    pendingCount = 0
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
      sign: .plus, exponent: (start + lowest) * 32 + shift - 1074,
      significand: Double(significand))
  }
}
