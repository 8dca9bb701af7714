/// A text that other texts contain, start with or end with, by their UTF-8 bytes.
struct BytePattern {
  private let bytes: [UInt8]
  /// For each prefix of the bytes, the length of the longest proper prefix that is
  /// also its suffix.
  // Source: Knuth, Morris, Pratt: Fast Pattern Matching in Strings.
  private let borders: [Int]

  init(_ text: String) {
    bytes = Array(text.utf8)
    var borders = [0]
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0, bytes[length] != byte { length = borders[length - 1] }
      if bytes[length] == byte { length += 1 }
      borders.append(length)
    }
    self.borders = borders
  }

  func matches(_ text: String, _ kind: TextMatch.Kind) -> Bool {
    var text = text
    return text.withUTF8 { text in
      switch kind {
      case .contains: isContained(in: text)
      case .hasPrefix: text.starts(with: bytes)
      case .hasSuffix: text.count >= bytes.count && text.suffix(bytes.count).elementsEqual(bytes)
      case .equals, .like, .matches: text.elementsEqual(bytes)
      }
    }
  }

  /// - Complexity: Linear in the number of bytes.
  private func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    if bytes.isEmpty { return true }
    guard text.count >= bytes.count else { return false }
    var length = 0
    for byte in text {
      while length > 0, bytes[length] != byte { length = borders[length - 1] }
      if bytes[length] == byte { length += 1 }
      if length == bytes.count { return true }
    }
    return false
  }
}
