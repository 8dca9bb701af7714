/// Random numbers that a seed determines, for tests whose failures can be run
/// again: SplitMix64 by Sebastiano Vigna (2015).
///
/// ```swift
/// var generator = SeededGenerator(seed: 42)
/// let row = rows.randomElement(using: &generator)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes the generator of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 up to, but not including, a bound above 0.
  public mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next() % UInt64(max(1, bound)))
  }

  /// Whether an event happens that does so once in a number of times.
  public mutating func oneIn(_ times: Int) -> Bool { below(times) == 0 }
}
