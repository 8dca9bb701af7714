/// 16 bytes of a text, which are looked at all at once.
// Types are written out where bytes are compared: where they are inferred, the
// compiler takes a generic comparison of one byte after the other.
struct Block: BitwiseCopyable {
  private typealias Bytes = SIMD16<Int8>

  /// How many bytes it has.
  static let size = 16

  /// Those of characters that are not ASCII are negative.
  private let bytes: Bytes

  /// The bytes at an address, where there must be as many.
  @inline(__always)
  init(at address: UnsafeRawPointer) { bytes = address.loadUnaligned(as: Bytes.self) }

  /// Copies the bytes to an address, where there must be room for as many.
  @inline(__always)
  func store(at address: UnsafeMutableRawPointer) { address.storeBytes(of: bytes, as: Bytes.self) }

  /// How many bytes come before the first one that is no plain ASCII of a text: a
  /// quote, a backslash, a control character or non-ASCII.
  @inline(__always)
  var plainLength: Int {
    // Non-ASCII too is less than a space.
    let controls = bytes .< Bytes(repeating: 0x20)
    return Self.length(before: quotes .| backslashes .| controls)
  }

  /// How many bytes come before the first one that texts have escaped: a quote, a
  /// backslash or a control character.
  @inline(__always)
  var literalLength: Int {
    let controls = (bytes .< Bytes(repeating: 0x20)) .& (bytes .> Bytes(repeating: -1))
    return Self.length(before: quotes .| backslashes .| controls)
  }

  /// How many bytes come before the first backslash.
  @inline(__always)
  var unescapedLength: Int { Self.length(before: backslashes) }

  @inline(__always)
  private var quotes: SIMDMask<Bytes> { bytes .== Bytes(repeating: 0x22) }

  @inline(__always)
  private var backslashes: SIMDMask<Bytes> { bytes .== Bytes(repeating: 0x5C) }

  /// How many bytes come before the first one that a mask has.
  @inline(__always)
  private static func length(before mask: SIMDMask<Bytes>) -> Int {
    // SAFETY: A mask is stored as its bytes, all bits of which are set or none.
    let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    if halves[0] != 0 { return halves[0].littleEndian.trailingZeroBitCount >> 3 }
    return halves[1] != 0 ? 8 + halves[1].littleEndian.trailingZeroBitCount >> 3 : size
  }
}
