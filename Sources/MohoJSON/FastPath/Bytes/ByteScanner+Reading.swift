import Foundation
import MohoMapping

/// The values of tokens, by the rules of ``TreeFieldDecoder``.
extension ByteScanner {
  /// The string of a token.
  @inline(__always)
  mutating func string(_ token: Token) -> String {
    let bytes = text(token)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      // SAFETY: The scan has validated the UTF-8.
      return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: token.kind == .ascii))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  mutating func int64(_ token: Token) -> Int64? {
    token.kind == .int64 ? token.integer : integer(token)
  }

  @inline(__always)
  mutating func uint64(_ token: Token) -> UInt64? {
    token.kind == .int64 ? UInt64(exactly: token.integer) : integer(token)
  }

  @inline(never)
  private mutating func integer<Integer: FixedWidthInteger>(_ token: Token) -> Integer? {
    guard token.kind.isNumber, let number = number(token), number.isWhole
    else { return nil }
    return number.integer()
  }

  mutating func decimal(_ token: Token) -> Decimal? {
    if token.kind == .int64 { return Decimal(token.integer) }
    guard token.kind.isNumber else { return nil }
    return number(token)?.decimal
  }

  private mutating func number(_ token: Token) -> NumberText? {
    NumberText(String(decoding: bytes(token.range), as: UTF8.self))
  }
}
