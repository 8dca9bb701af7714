/// Computes hashes of column values, which are valid only within the process.
///
/// Values have the same fingerprint if they have the same type and the same
/// bytes. Zero and negative zero have the same one.
package enum Fingerprint {
  private enum Kind: UInt8 {
    case null, integer, real, text, blob
  }

  /// The number of bytes above which an engine may compute the fingerprint of a
  /// text from a hash of the text.
  package static let longestText = 256

  package static let ofNull = hash(.null) { _ in }

  package static func of(_ integer: Int64) -> UInt64 { hash(.integer) { $0.combine(integer) } }

  package static func of(_ number: Double) -> UInt64 {
    hash(.real) { $0.combine((number + 0).bitPattern) }
  }

  package static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { of(text: UnsafeRawBufferPointer($0)) }
  }

  package static func of(text bytes: UnsafeRawBufferPointer) -> UInt64 {
    hash(.text) { $0.combine(bytes: bytes) }
  }

  package static func of(blob bytes: UnsafeRawBufferPointer) -> UInt64 {
    hash(.blob) { $0.combine(bytes: bytes) }
  }

  @inline(__always)
  private static func hash(_ kind: Kind, _ combine: (inout Hasher) -> Void) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(kind.rawValue)
    combine(&hasher)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
