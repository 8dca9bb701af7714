extension ByteScanner {
  /// Scans a key from its opening to its closing quote.
  ///
  /// - Parameter hash: Receives the hash of the key with its escape sequences replaced.
  /// - Returns: The kind of the string, or `none` if it is invalid.
  @inline(__always)
  mutating func scanKey(_ hash: inout UInt64) -> TokenKind {
    var position = position
    hash = 0
    while count - position >= 8 {
      let word = word(at: position)
      let special = Self.specials(word)
      if special == 0 {
        hash = DuplicateKeyDetector.mix(hash, word)
        position += 8
        continue
      }
      let length = special.trailingZeroBitCount >> 3
      guard byte(at: position + length) == UInt8(ascii: "\"") else { break }
      if length > 0 {
        hash = DuplicateKeyDetector.mix(hash, word & ((1 << (UInt64(length) * 8)) - 1))
      }
      self.position = position + length + 1
      return .ascii
    }
    return scanUncommonKey(&hash)
  }

  /// The high bits of the bytes of a word that are quotes, backslashes, control
  /// characters or non-ASCII. Only the lowest set bit is exact.
  // A subtraction sets the high bit of a byte that is less, and only then borrows
  // from the next byte.
  @inline(__always)
  private static func specials(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (word ^ (ones &* 0x22)) &- ones
    let backslashes = (word ^ (ones &* 0x5C)) &- ones
    let controls = word &- (ones &* 0x20)
    return (quotes | backslashes | controls | word) & (ones &* 0x80)
  }

  /// Scans a key that is not plain ASCII, or ends near the end of the text.
  @inline(never)
  private mutating func scanUncommonKey(_ hash: inout UInt64) -> TokenKind {
    let start = position
    let kind = scanString()
    guard kind != .none else { return .none }
    hash = DuplicateKeyDetector.hash(text(Token(kind, start, position - 1)))
    return kind
  }

  /// Skips the colon after a key, with the whitespace around it.
  @inline(__always)
  mutating func skipColon() -> Bool {
    skipSpace()
    guard skip(":") else { return false }
    skipSpace()
    return true
  }

  /// Whether the bytes from an offset on equal those at a pointer, which are padded to
  /// a multiple of 8.
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
    // Masks the padding of the last word.
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
