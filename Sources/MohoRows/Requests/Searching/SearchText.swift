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
/// Japanese, are one word. Only the first 64 words and phrases are searched. A
/// request with phrases of more than 1,024 words in total throws a ``StoreError``.
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
  package struct Term: Sendable {
    package let text: String
    /// Whether the last word is the beginning of a word.
    package var isPrefix: Bool
  }

  package let terms: [Term]

  /// The maximum number of words and phrases. SQLite's time is quadratic in
  /// this number.
  static let maximumCount = 64

  /// The maximum number of words in all phrases. The time to search for a phrase
  /// grows with its words, in each row that has them.
  static let maximumWordCount = 1_024

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
    terms = Self.terms(of: Array(text.unicodeScalars), lastWord)
  }

  /// Divides a text into words and phrases.
  ///
  /// - Complexity: O(*n*) for *n* scalars.
  static func terms<Scalars: RandomAccessCollection<Unicode.Scalar>>(
    of scalars: Scalars, _ lastWord: LastWord
  ) -> [Term] {
    var terms: [Term] = []
    var isOpen = false
    var position = scalars.startIndex
    while position < scalars.endIndex, terms.count < maximumCount {
      let part = SearchTextPart(scalars, at: position)
      position = part.end
      guard part.scalars.contains(where: \.isPartOfWord) else { continue }
      // SQLite's text ends at a null character.
      let text = part.scalars.map { $0.value == 0 ? " " : $0 }
      terms.append(
        Term(text: String(String.UnicodeScalarView(text)), isPrefix: part.isPrefix))
      isOpen = !part.isClosed
    }
    if lastWord == .prefix, isOpen { terms[terms.count - 1].isPrefix = true }
    return terms
  }

  /// The number of words in all terms.
  var wordCount: Int {
    terms.reduce(0) { count, term in
      var isInWord = false
      return term.text.unicodeScalars.reduce(into: count) { count, scalar in
        if scalar.isPartOfWord, !isInWord { count += 1 }
        isInWord = scalar.isPartOfWord || isInWord && scalar.isAccent
      }
    }
  }
}

/// A word or a phrase, the character that separates it, or a quotation mark
/// without a word.
private struct SearchTextPart<Scalars: RandomAccessCollection<Unicode.Scalar>> {
  var scalars: Scalars.SubSequence
  /// Whether stars follow the word or phrase.
  var isPrefix = false
  /// Whether the part is a phrase that ends with a quotation mark.
  var isClosed = false
  /// The position after the part.
  var end: Scalars.Index

  init(_ text: Scalars, at start: Scalars.Index) {
    let isPhrase = text[start].isQuotationMark
    let first = isPhrase ? text.index(after: start) : start
    let rest = text[first...]
    end = rest.firstIndex { $0.isQuotationMark || !isPhrase && $0.separatesWords } ?? rest.endIndex
    scalars = rest[..<end]
    if isPhrase, end < text.endIndex {
      isClosed = true
      let afterMark = text.index(after: end)
      end = text[afterMark...].firstIndex { $0 != "*" } ?? text.endIndex
      isPrefix = end > afterMark
    } else if !isPhrase {
      while scalars.last == "*" {
        scalars.removeLast()
        isPrefix = true
      }
      if scalars.isEmpty, end == start { end = text.index(after: start) }
    }
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

  fileprivate var isAccent: Bool { properties.generalCategory == .nonspacingMark }

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
