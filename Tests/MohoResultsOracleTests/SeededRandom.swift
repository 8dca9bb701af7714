/// Random numbers determined by a seed.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
    // Consecutive seeds must not produce shifted versions of the same sequence.
    state = next() ^ seed &* 0xD6E8_FEB8_6659_FD93
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  mutating func chance(_ count: Int, in bound: Int) -> Bool { below(bound) < count }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
