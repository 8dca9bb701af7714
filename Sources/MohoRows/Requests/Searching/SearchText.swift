/// A text to search for, as a person types it: words, phrases in quotes, and
/// beginnings of words.
///
/// | text | finds rows with |
/// |---|---|
/// | `moon landing` | both words, in any order and in any of the keys |
/// | `"moon landing"` | the words next to each other, in this order |
/// | `land*` | a word that starts with `land` |
/// | `"moon land"*` | `moon`, followed by a word that starts with `land` |
/// | `e-mail` | the words `e` and `mail` next to each other |
///
/// Any text is valid. There are no operators: `OR` is a word, and a quotation
/// mark without a partner starts a phrase that ends with the text. Letter case
/// and accents do not matter. Words without letters and digits are ignored. A
/// text without any words matches every row, so that an empty search field
/// shows the whole list.
///
/// Words that are not separated by spaces or punctuation, as in Chinese and
/// Japanese, are one word. Only the first 64 words and phrases are searched.
public struct SearchText: Sendable {
  /// The way to match the last word of a text.
  public enum LastWord: Sendable, Hashable {
    /// The whole word must occur.
    case whole
    /// A word that starts with it must occur. Use this to search while a person
    /// types.
    case prefix
  }

  /// A word or a phrase. It contains no quotation marks.
  struct Term: Sendable {
    let text: String
    /// Whether the last word is the beginning of a word.
    var isPrefix: Bool
  }

  let terms: [Term]

  /// The maximum number of words and phrases. SQLite's time is quadratic in
  /// this number.
  static let maximumCount = 64

  /// A Boolean value indicating whether the text has no words, so that it
  /// matches every row.
  public var isEmpty: Bool { terms.isEmpty }

  /// Creates a search text.
  ///
  /// - Parameters:
  ///   - text: The words and phrases.
  ///   - lastWord: The way to match the last word. It has no effect on a phrase
  ///     that ends with a quotation mark.
  public init(_ text: String, lastWord: LastWord = .whole) {
    var terms: [Term] = []
    var isOpen = false
    var rest = text.unicodeScalars[...]
    while let first = rest.first, terms.count < Self.maximumCount {
      if first.separatesWords {
        rest.removeFirst()
        continue
      }
      let isPhrase = first.isQuotationMark
      if isPhrase { rest.removeFirst() }
      let end =
        rest.firstIndex { $0.isQuotationMark || !isPhrase && $0.separatesWords } ?? rest.endIndex
      let isClosed = isPhrase && end < rest.endIndex
      var term = rest[..<end]
      rest = rest[end...]
      if isClosed { rest.removeFirst() }
      var isPrefix = false
      if isClosed {
        isPrefix = rest.removeStars()
      } else if !isPhrase {
        isPrefix = term.removeLastStars()
      }
      guard term.contains(where: \.isPartOfWord) else { continue }
      // SQLite's text ends at a null character.
      let scalars = term.map { $0.value == 0 ? " " : $0 }
      terms.append(Term(text: String(String.UnicodeScalarView(scalars)), isPrefix: isPrefix))
      isOpen = !isClosed
    }
    if lastWord == .prefix, isOpen { terms[terms.count - 1].isPrefix = true }
    self.terms = terms
  }
}

extension SearchText: Hashable {
  /// Returns a Boolean value indicating whether two texts have the same words
  /// and phrases, with the same bytes.
  public static func == (one: SearchText, other: SearchText) -> Bool {
    one.description.utf8.elementsEqual(other.description.utf8)
  }

  /// Hashes the bytes of the words and phrases.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}

extension SearchText: CustomStringConvertible {
  /// The words and phrases in quotation marks, such as `"moon" "land"*`. A
  /// search text with this description is equal.
  public var description: String {
    terms.map { "\"\($0.text)\"\($0.isPrefix ? "*" : "")" }.joined(separator: " ")
  }
}

extension Unicode.Scalar {
  fileprivate var separatesWords: Bool { value == 0 || properties.isWhitespace }

  /// Whether the scalar is a straight or a typographic quotation mark, which
  /// some keyboards type instead.
  fileprivate var isQuotationMark: Bool {
    switch self {
    case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{AB}", "\u{BB}": true
    default: false
    }
  }

  /// Whether the scalar is a letter, a digit or for private use. The tokenizer
  /// of the index ignores words without such a scalar.
  fileprivate var isPartOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}

extension Substring.UnicodeScalarView {
  fileprivate mutating func removeStars() -> Bool {
    let count = self.count
    while first == "*" { removeFirst() }
    return self.count < count
  }

  fileprivate mutating func removeLastStars() -> Bool {
    let count = self.count
    while last == "*" { removeLast() }
    return self.count < count
  }
}
