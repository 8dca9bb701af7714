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

  /// The highest bits of the bytes of a word that are no plain ASCII of a text:
  /// quotes, backslashes, control characters and non-ASCII. Bits above the lowest
  /// one that is set may be set for nothing.
  // A subtraction has the highest bit of a byte set where the byte was less, and
  // borrows from the next one only then.
  @inline(__always)
  private static func specials(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    let controls = word &- (ones &* 0x20)
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
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

  /// Whether the bytes from an offset on are those at a pointer, where there are
  /// more of them up to a multiple of 8.
  @inline(__always)
  mutating func has(_ other: UnsafeRawPointer, count length: Int, at start: Int) -> Bool {
    guard count - start >= (length + 7) & ~7 else {
      return hasBytes(other, count: length, at: start)
    }
    var offset = 0
    while length - offset > 8 {
      let expected = UInt64(littleEndian: other.load(fromByteOffset: offset, as: UInt64.self))
      guard word(at: start + offset) == expected else { return false }
      offset += 8
    }
    let expected = UInt64(littleEndian: other.load(fromByteOffset: offset, as: UInt64.self))
    // Of the last word, the bytes that belong to it.
    let mask = UInt64.max >> UInt64((8 - (length - offset)) * 8)
    return (word(at: start + offset) ^ expected) & mask == 0
  }

  @inline(never)
  private mutating func hasBytes(
    _ other: UnsafeRawPointer, count length: Int, at start: Int
  ) -> Bool {
    guard count - start >= length else { return false }
    for offset in 0..<length
    where other.load(fromByteOffset: offset, as: UInt8.self) != byte(at: start + offset) {
      return false
    }
    return true
  }
}
