import Foundation
import MohoMapping

/// Values of the places that were found, by the rules of ``ObjectReader``.
extension ByteScanner {
  /// A text that was passed.
  @inline(__always)
  mutating func string(_ token: Token) -> String {
    let bytes = text(token)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // SAFETY: Whether the bytes are UTF-8 was seen as they were passed.
      return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: token.kind == .ascii))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  func int64(_ token: Token) -> Int64? {
    if token.kind == .integer, token.range.count <= 18 { return smallInteger(token) }
    return integer(token)
  }

  @inline(__always)
  func uint64(_ token: Token) -> UInt64? {
    if token.kind == .integer, token.range.count <= 18 {
      return UInt64(exactly: smallInteger(token))
    }
    return integer(token)
  }

  /// The value of an integer of at most 18 bytes.
  @inline(__always)
  private func smallInteger(_ token: Token) -> Int64 {
    var position = Int(token.start)
    let isNegative = byte(at: position) == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var value: Int64 = 0
    // SAFETY: Tokens end within the text.
    while position < Int(token.end) {
      value = value &* 10 &+ Int64(start.load(fromByteOffset: position, as: UInt8.self) &- 0x30)
      position += 1
    }
    return isNegative ? -value : value
  }

  @inline(never)
  private func integer<Integer: FixedWidthInteger>(_ token: Token) -> Integer? {
    guard token.kind == .integer || token.kind == .number, let number = number(token),
      number.isWhole
    else { return nil }
    return number.integer()
  }

  func decimal(_ token: Token) -> Decimal? {
    if token.kind == .integer, let integer = int64(token) { return Decimal(integer) }
    guard token.kind == .integer || token.kind == .number else { return nil }
    return number(token)?.decimal
  }

  private func number(_ token: Token) -> NumberText? {
    NumberText(String(decoding: bytes(token.range), as: UTF8.self))
  }
}
