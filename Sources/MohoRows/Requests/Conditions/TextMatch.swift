/// A text pattern and the way to match it.
public struct TextMatch: Sendable, Hashable {
  /// The ways to match a text.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The text contains the pattern.
    case contains
    /// The text starts with the pattern.
    case hasPrefix
    /// The text ends with the pattern.
    case hasSuffix
    /// The text equals the pattern.
    case equals
    /// The whole text matches a wildcard pattern: `*` matches any number of
    /// characters, `?` matches one character, and a backslash escapes the next
    /// character.
    case like
    /// The whole text matches a regular expression in the syntax of Swift's
    /// `Regex`.
    case matches
  }

  /// The differences between texts to ignore.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as a bit mask.
    public let rawValue: Int

    /// Creates options from a bit mask.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Ignores letter case.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Ignores diacritics such as accents.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }

  /// The way to match the pattern.
  package let kind: Kind
  /// The pattern.
  package let text: String
  /// The differences between texts to ignore.
  package let options: Options

  /// Creates a text match.
  package init(_ kind: Kind, _ text: String, _ options: Options = []) {
    self.kind = kind
    self.text = text
    self.options = options
  }

  /// Whether the bytes of texts are compared, and not their characters.
  package var comparesBytes: Bool {
    switch kind {
    case .contains, .hasPrefix, .hasSuffix, .equals: options.isEmpty
    case .like, .matches: false
    }
  }

  /// Returns a Boolean value indicating whether a text matches.
  ///
  /// Without options, texts are compared by their UTF-8 bytes. With options, they
  /// are compared by the characters of their folded forms, so that composed and
  /// decomposed forms are equal. Regular expressions match characters. An invalid regular expression matches no text here. A request
  /// with an invalid regular expression throws.
  package func matches(_ candidate: String) -> Bool {
    (try? TextMatcher(self))?.matches(candidate) ?? false
  }

  // The string equality operator would consider composed and decomposed
  // patterns equal. These are different regular expressions.
  /// Returns a Boolean value indicating whether two matches have the same
  /// options and patterns with the same bytes.
  public static func == (one: TextMatch, other: TextMatch) -> Bool {
    one.kind == other.kind && one.options == other.options
      && one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Hashes the pattern's bytes and the options.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(options)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension TextMatch: CustomStringConvertible {
  /// The match as a formula, such as `contains[cd] "swift"`.
  public var description: String {
    var marks = ""
    if options.contains(.caseInsensitive) { marks += "c" }
    if options.contains(.diacriticInsensitive) { marks += "d" }
    return "\(kind.rawValue)\(marks.isEmpty ? "" : "[\(marks)]") \(text.debugDescription)"
  }
}
