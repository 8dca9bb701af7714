/// Divides texts into words, as the full-text index of an engine does.
package protocol TextTokenizer: AnyObject, Sendable {
  /// Returns the words of a text, in order, in the form in which they are
  /// compared: without letter case and accents.
  ///
  /// - Parameter purpose: Why the text is divided.
  func words(of text: String, for purpose: TokenizedText) -> [[UInt8]]
}

/// The purpose of dividing a text into words.
package enum TokenizedText: Sendable {
  /// The text is searched.
  case document
  /// The text is searched for.
  case query
  /// The text is searched for. Its last word is the beginning of a word.
  case prefixQuery
}

/// A search text that has been prepared for matching many rows in memory.
///
/// It matches a row if and only if the full-text index of the engine finds a
/// row with the same texts.
package struct SearchMatcher: Sendable {
  private let phrases: [SearchPhrase]
  private let isEmpty: Bool
  private let tokenizer: any TextTokenizer

  package init(_ text: SearchText, _ tokenizer: any TextTokenizer) {
    phrases = text.phrases(tokenizer)
    isEmpty = text.isEmpty
    self.tokenizer = tokenizer
  }

  /// Returns whether each phrase occurs in one of the texts of a row.
  ///
  /// - Complexity: O(*n* · *m*) for texts with *n* words and a search text with
  ///   *m* words.
  package func matches(_ texts: some Sequence<String>) -> Bool {
    if isEmpty { return true }
    // The tokenizer may know fewer letters than Swift.
    guard !phrases.isEmpty else { return false }
    var missing = phrases
    for text in texts {
      let words = tokenizer.words(of: text, for: .document)
      missing.removeAll { $0.occurs(in: words) }
      if missing.isEmpty { return true }
    }
    return false
  }
}

/// Words that must occur next to each other, in the form in which a tokenizer compares them.
package struct SearchPhrase: Sendable {
  /// At least one word.
  package let words: [[UInt8]]
  /// Whether the last word is the beginning of a word.
  package let isPrefix: Bool
}

extension SearchText {
  /// Returns the words and phrases that must occur. If a text that is not empty has none,
  /// because the tokenizer knows fewer letters than Swift, it matches no row.
  package func phrases(_ tokenizer: any TextTokenizer) -> [SearchPhrase] {
    terms.map { term in
      SearchPhrase(
        words: tokenizer.words(of: term.text, for: term.isPrefix ? .prefixQuery : .query),
        isPrefix: term.isPrefix)
    }
    .filter { !$0.words.isEmpty }
  }
}

extension SearchPhrase {
  fileprivate func occurs(in text: [[UInt8]]) -> Bool {
    guard text.count >= words.count, let last = words.last else { return false }
    return (0...(text.count - words.count)).contains { start in
      for offset in 0..<words.count - 1 where text[start + offset] != words[offset] {
        return false
      }
      let word = text[start + words.count - 1]
      return isPrefix ? word.starts(with: last) : word == last
    }
  }
}
