extension ByteScanner {
  /// Passes a key whose opening quote was passed, and its closing quote.
  ///
  /// - Parameter hash: Receives the hash of the key without its escapes.
  /// - Returns: What text the key is, or none.
  @inline(__always)
  mutating func passKey(_ hash: inout UInt64) -> TokenKind {
    var position = position
    hash = 0
    while count - position >= 8 {
      let word = word(at: position)
      let special = Self.specials(word)
      if special == 0 {
        hash = KeyHashes.mix(hash, word)
        position += 8
        continue
      }
      let length = special.trailingZeroBitCount >> 3
      guard byte(at: position + length) == UInt8(ascii: "\"") else { break }
      if length > 0 {
        hash = KeyHashes.mix(hash, word & ((1 << (UInt64(length) * 8)) - 1))
      }
      self.position = position + length + 1
      return .ascii
    }
    return passOddKey(&hash)
  }

  /// Passes a key that is not plain ASCII, or ends near the end of the text.
  @inline(never)
  private mutating func passOddKey(_ hash: inout UInt64) -> TokenKind {
    let start = position
    let kind = passText()
    guard kind != .none else { return .none }
    hash = KeyHashes.hash(text(Token(kind, start, position - 1)))
    return kind
  }

  /// Passes the colon behind a key, with the white space around it.
  @inline(__always)
  mutating func passColon() -> Bool {
    skipSpace()
    guard skip(":") else { return false }
    skipSpace()
    return true
  }

  /// Whether the bytes at the position are some others, padded with zeros to
  /// words of 8.
  @inline(__always)
  func isNext(_ other: UnsafeRawPointer, count length: Int) -> Bool {
    var offset = 0
    guard count - position >= (length + 7) & ~7 else {
      guard count - position >= length else { return false }
      while offset < length {
        let byte = other.load(fromByteOffset: offset, as: UInt8.self)
        guard byte == self.byte(at: position + offset) else { return false }
        offset += 1
      }
      return true
    }
    while length - offset > 8 {
      let expected = UInt64(littleEndian: other.load(fromByteOffset: offset, as: UInt64.self))
      guard word(at: position + offset) == expected else { return false }
      offset += 8
    }
    let expected = UInt64(littleEndian: other.load(fromByteOffset: offset, as: UInt64.self))
    // Of the last word, the bytes that belong to it.
    let mask = UInt64.max >> UInt64((8 - (length - offset)) * 8)
    return word(at: position + offset) & mask == expected
  }
}
