/// A random number generator with a seed, so that test failures can be
/// reproduced. It implements SplitMix64 by Sebastiano Vigna (2015).
///
/// ```swift
/// var generator = SeededGenerator(seed: 42)
/// let row = rows.randomElement(using: &generator)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator with a seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a number from 0 up to, but not including, a positive bound.
  public mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next() % UInt64(max(1, bound)))
  }

  /// Returns true with a probability of one in a number of times.
  public mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
