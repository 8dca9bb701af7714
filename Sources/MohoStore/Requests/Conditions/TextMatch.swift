/// How a text is looked for in the text of a key.
public struct TextMatch: Sendable, Hashable {
  /// Where the text must stand, or what it says.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// Anywhere.
    case contains
    /// At the beginning.
    case hasPrefix
    /// At the end.
    case hasSuffix
    /// It is the whole.
    case equals
    /// It is the whole, where `*` stands for any characters, `?` for one, and
    /// a backslash takes the next character as it is.
    case like
    /// It is a regular expression, in the syntax of Swift's `Regex`, that the
    /// whole text matches.
    case matches
  }

  /// What is left out of account.
  public struct Options: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: Int

    /// Makes a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Upper and lower case are the same.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Letters with and without accents are the same.
    public static let diacriticInsensitive = Options(rawValue: 2)
  }

  /// Where the text must stand, or what it says.
  public let place: Place
  /// The text.
  public let text: String
  /// What is left out of account.
  public let options: Options

  /// Makes a match.
  public init(_ place: Place, _ text: String, _ options: Options = []) {
    self.place = place
    self.text = text
    self.options = options
  }

  /// Whether a text matches. Texts are compared by characters, so that composed
  /// and decomposed forms are equal.
  ///
  /// A regular expression that is none matches nothing here; a request with it
  /// throws.
  public func matches(_ candidate: String) -> Bool {
    (try? TextMatcher(self))?.matches(candidate) ?? false
  }

  // Texts with equal characters are matches of their own: equality of strings
  // would take composed and decomposed patterns of regular expressions for one.
  /// Whether both look for the same bytes in the same way.
  public static func == (one: TextMatch, other: TextMatch) -> Bool {
    one.place == other.place && one.options == other.options
      && one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(place)
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
    return "\(place.rawValue)\(marks.isEmpty ? "" : "[\(marks)]") \(text.debugDescription)"
  }
}
