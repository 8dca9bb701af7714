extension TextMatch {
  /// A range, by the order of bytes, in which all texts are that match; nil where
  /// none is known.
  ///
  /// Texts are compared by characters, and texts of other bytes may have equal
  /// ones. But the characters of ASCII have one form each, save for `K`, `;` and
  /// the grave accent, which Unicode has twice: what begins with others of them
  /// begins with their bytes.
  var range: Range<String>? {
    guard options.isEmpty else { return nil }
    let text =
      switch place {
      case .hasPrefix, .equals: text[...]
      case .like: text.prefix { !["*", "?", "\\"].contains($0) }
      case .contains, .hasSuffix, .matches: text.prefix(0)
      }
    let prefix = text.prefix { $0.hasOneForm }
    guard let last = prefix.last?.asciiValue else { return nil }
    let next = Character(Unicode.Scalar(last + 1))
    return String(prefix)..<String(prefix.dropLast()) + String(next)
  }
}

extension Character {
  /// Whether no other bytes are equal to the character's, which are one byte.
  fileprivate var hasOneForm: Bool {
    // A line break of two characters is an ASCII value too.
    guard unicodeScalars.count == 1, let value = asciiValue else { return false }
    return value > 0 && value < 0x7F && !["K", ";", "`"].contains(self)
  }
}
