extension TextMatch {
  /// A range of byte-ordered texts that contains all matching texts, or nil if
  /// no such range can be determined. An index can search this range.
  ///
  /// Texts are compared by characters, so texts with different bytes can be
  /// equal. But each ASCII character has a single encoding, except `K`, `;` and
  /// the grave accent, which are canonically equivalent to other Unicode
  /// scalars. If the pattern starts with other ASCII characters, all matching
  /// texts start with the same bytes.
  package var range: Range<String>? {
    guard options.isEmpty else { return nil }
    let text =
      switch kind {
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

extension String {
  /// Whether no other byte sequence is equal to a character of the text, and each
  /// character is a single byte.
  package var hasOneForm: Bool { allSatisfy(\.hasOneForm) }
}

extension Character {
  /// Whether no other byte sequence is equal to the character, which is a
  /// single byte.
  fileprivate var hasOneForm: Bool {
    // The line break CR LF also has an ASCII value.
    guard unicodeScalars.count == 1, let value = asciiValue else { return false }
    return value > 0 && value < 0x7F && !["K", ";", "`"].contains(self)
  }
}
