extension ByteScanner {
  /// Scans a string from its opening to its closing quote.
  ///
  /// - Returns: The kind of the string, or `none` if it is invalid.
  mutating func scanString() -> TokenKind {
    var position = position
    var kind = TokenKind.ascii
    while true {
      while count - position >= ByteBlock.size {
        let length = block(at: position).plainLength
        position += length
        if length < ByteBlock.size { break }
      }
      let byte = byte(at: position)
      switch byte {
      case UInt8(ascii: "\""):
        self.position = position + 1
        return kind
      case UInt8(ascii: "\\"):
        let length = text.lengthOfEscape(at: position)
        if length == 0 { return .none }
        position += length
        kind = .escaped
      case 0x20..<0x80:
        // One of the last bytes, which do not fill a block.
        position += 1
      case 0x80...:
        if kind == .ascii { kind = .utf8 }
        repeat {
          let length = text.lengthOfCharacter(at: position)
          if length == 0 { return .none }
          position += length
        } while self.byte(at: position) >= 0x80
      default:
        return .none
      }
    }
  }
}
