/// 16 bytes of a text that are compared at once.
// The types of vectors are explicit. With inferred types, the compiler chooses a
// generic comparison byte by byte.
package struct ByteBlock: BitwiseCopyable {
  private typealias Bytes = SIMD16<Int8>

  package static let size = 16

  /// Non-ASCII bytes are negative.
  private let bytes: Bytes

  /// Loads 16 bytes, which must exist.
  @inline(__always)
  package init(at address: UnsafeRawPointer) { bytes = address.loadUnaligned(as: Bytes.self) }

  /// Stores the bytes at an address with room for 16.
  @inline(__always)
  package func store(at address: UnsafeMutableRawPointer) {
    address.storeBytes(of: bytes, as: Bytes.self)
  }

  /// The number of bytes before the first quote, backslash, control character or
  /// non-ASCII byte.
  @inline(__always)
  package var plainLength: Int {
    // Non-ASCII bytes are less than a space, too.
    let controls = bytes .< Bytes(repeating: 0x20)
    return Self.length(before: quotes .| backslashes .| controls)
  }

  /// The number of bytes before the first one that strings must escape: a quote, a
  /// backslash or a control character.
  @inline(__always)
  package var literalLength: Int {
    let controls = (bytes .< Bytes(repeating: 0x20)) .& (bytes .> Bytes(repeating: -1))
    return Self.length(before: quotes .| backslashes .| controls)
  }

  /// The number of bytes before the first backslash.
  @inline(__always)
  package var unescapedLength: Int { Self.length(before: backslashes) }

  @inline(__always)
  private var quotes: SIMDMask<Bytes> { bytes .== Bytes(repeating: 0x22) }

  @inline(__always)
  private var backslashes: SIMDMask<Bytes> { bytes .== Bytes(repeating: 0x5C) }

  @inline(__always)
  private static func length(before mask: SIMDMask<Bytes>) -> Int {
    // SAFETY: A mask is stored as bytes with all bits set or none.
    let halves = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    if halves[0] != 0 { return halves[0].littleEndian.trailingZeroBitCount >> 3 }
    return halves[1] != 0 ? 8 + halves[1].littleEndian.trailingZeroBitCount >> 3 : size
  }
}
