public import Foundation

/// The types of keys with text: `String` and `String?`.
public protocol TextValue {}
extension String: TextValue {}
extension String?: TextValue {}

/// A key that supports text conditions: a ``ModelKey`` with a ``TextValue``, or
/// any ``RowKey``, whose type is checked when the request is executed.
public protocol TextOperand: RequestOperand {}
extension ModelKey: TextOperand where Value: TextValue {}
extension RowKey: TextOperand {}

extension TextOperand {
  /// A filter that matches rows where the key contains a text, by UTF-8 bytes
  /// unless options ignore differences. The empty text matches any text.
  public func contains(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.contains, text, options))
  }

  /// A filter that matches rows where the key starts with a text, by UTF-8 bytes
  /// unless options ignore differences.
  public func hasPrefix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.hasPrefix, text, options))
  }

  /// A filter that matches rows where the key ends with a text, by UTF-8 bytes
  /// unless options ignore differences.
  public func hasSuffix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.hasSuffix, text, options))
  }

  /// A filter that matches rows where the key equals a text, ignoring the
  /// differences in `options`.
  public func equals(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.equals, text, options))
  }

  /// A filter that matches rows where the key matches a wildcard pattern.
  ///
  /// `*` matches any number of characters, `?` matches one character, and a
  /// backslash escapes the next character. Without options, characters are
  /// compared by their UTF-8 bytes.
  public func like(_ pattern: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.like, pattern, options))
  }

  /// A filter that matches rows where the whole text of the key matches a
  /// regular expression in the syntax of Swift's `Regex`.
  ///
  /// Matching takes time proportional to the length of the text times the
  /// length of the expression. Executing the request throws a ``StoreError``
  /// with the code ``StoreError/Code/invalidRequest`` if the text is not a
  /// regular expression, or if it cannot be matched in bounded time: with back
  /// references, atomic groups or possessive quantifiers, with more than 10,000
  /// bytes, or with more than 4,096 parts after expanding repetitions.
  public func matches(_ expression: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.matches, expression, options))
  }
}

extension ModelKey where Value: TextValue {
  /// The letter under which an alphabetical index lists the text: its first
  /// character without case and accents, as a capital letter, or `#` if the text
  /// does not begin with a letter. Nil if the key is nil.
  ///
  /// ```swift
  /// let request = ModelRequest<Podcast>()
  ///   .order { $0.title.indexLetter }
  ///   .order(by: \.title, options: [.caseInsensitive, .diacriticInsensitive])
  /// let list = try ResultsController(
  ///   request, in: store, sectionedBy: { $0.title.indexLetter })
  /// ```
  ///
  /// `#` precedes all letters. The letter does not depend on the locale.
  public var indexLetter: ModelKey<String?> { .init(.indexLetter(operand)) }

  /// The letter under which an alphabetical index of a language lists the text.
  ///
  /// ```swift
  /// let locale = Locale(identifier: "sv")
  /// let request = ModelRequest<Podcast>()
  ///   .order(collation: .localized(in: locale)) { $0.title.indexLetter(in: locale) }
  ///   .order(by: \.title, collation: .localizedStandard(in: locale))
  /// ```
  ///
  /// A letter with an accent is listed under its base letter, unless it is a
  /// letter of the locale's alphabet: `Ä` is listed under `A` in German, and
  /// after `Z` in Swedish. A letter of another script has its own entry after
  /// the letters of the locale. Texts that do not begin with a letter, or that
  /// begin with an ideograph, are listed under `#`, which precedes all letters
  /// in the order of a locale. A digraph such as the Czech `ch` is listed under
  /// its first letter. Nil if the key is nil.
  public func indexLetter(in locale: Locale) -> ModelKey<String?> {
    .init(.indexLetter(operand, locale: locale.identifier))
  }
}

extension RowKey {
  /// The letter under which an alphabetical index lists the text. See
  /// ``ModelKey/indexLetter``.
  public var indexLetter: RowKey { RowKey(.indexLetter(operand)) }

  /// The letter under which an alphabetical index of a language lists the text.
  /// See ``ModelKey/indexLetter(in:)``.
  public func indexLetter(in locale: Locale) -> RowKey {
    RowKey(.indexLetter(operand, locale: locale.identifier))
  }
}
