/// The digits of a fraction of a second in a text.
struct SecondFraction {
  private static let greatestScale: Int64 = 1_000_000_000_000_000_000
  /// The scale of the digits that doubles distinguish outside ``Attoseconds/range``.
  private static let coarseScale: Int64 = 1_000_000_000_000_000

  /// The fraction in units of 1 divided by the scale.
  private var units: Int64 = 0
  private var scale: Int64 = 1

  init() {}

  init(digit: Int) { append(digit) }

  /// Appends a digit. Digits after the 18th are ignored.
  mutating func append(_ digit: Int) {
    guard scale < Self.greatestScale else { return }
    units = units * 10 + Int64(digit)
    scale *= 10
  }

  /// The double nearest to a number of seconds and the fraction, for seconds near
  /// 0. For others, digits after the 15th are ignored.
  func interval(after seconds: Int) -> Double {
    if units != 0, Attoseconds.range.contains(seconds) {
      let total = Int64(seconds) * Self.greatestScale + units * (Self.greatestScale / scale)
      // Rounded once.
      return Double("\(total)e-18") ?? Double(seconds)
    }
    if scale <= Self.coarseScale { return Double(seconds) + Double(units) / Double(scale) }
    let coarse = units / (scale / Self.coarseScale)
    return Double(seconds) + Double(coarse) / Double(Self.coarseScale)
  }
}

/// A number of seconds near 0, in units of 1e-18 seconds.
struct Attoseconds {
  /// Fractions of other seconds have 15 digits: two doubles are at least 1.7e-15
  /// apart.
  static let range = -8..<8

  private static let second: Int64 = 1_000_000_000_000_000_000

  private let count: Int64

  /// Rounds a number of seconds. Returns nil outside ``range``.
  init?(_ seconds: Double) {
    guard seconds >= Double(Self.range.lowerBound), seconds < Double(Self.range.upperBound) else {
      return nil
    }
    // The number is a significand of 53 bits divided by a power of two.
    let shift = 52 - Int(seconds.isZero ? 0 : seconds.exponent)
    guard shift < 120 else {
      count = 0
      return
    }
    let significand = Int128((seconds.significand * 0x1p52).rounded())
    let magnitude = (significand * Int128(Self.second) + Int128(1) << (shift - 1)) >> shift
    count = Int64(seconds < 0 ? -magnitude : magnitude)
  }

  /// Returns the whole seconds, rounded down, and the fraction in units of its
  /// last digit.
  func rounded(toDigits digits: Int) -> (seconds: Int, fraction: Int64) {
    var unit = Self.second
    for _ in 0..<digits { unit /= 10 }
    let units = Self.floor(count + unit / 2, by: unit)
    let perSecond = Self.second / unit
    let seconds = Self.floor(units, by: perSecond)
    return (Int(seconds), units - seconds * perSecond)
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
