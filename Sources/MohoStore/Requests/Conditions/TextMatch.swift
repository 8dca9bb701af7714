import Foundation
import GRDB

/// How a text is looked for in the text of a key.
public struct TextMatch: Sendable, Hashable {
  /// Where the text must stand.
  public enum Place: String, Sendable, Hashable {
    /// Anywhere.
    case contains
    /// At the beginning.
    case hasPrefix
    /// At the end.
    case hasSuffix
    /// It is the whole.
    case equals
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

  /// Where the text must stand.
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
  public func matches(_ candidate: String) -> Bool {
    let (candidate, text) = (folded(candidate), folded(self.text))
    return switch place {
    case .contains: text.isEmpty || candidate.contains(text)
    case .hasPrefix: candidate.hasPrefix(text)
    case .hasSuffix: candidate.hasSuffix(text)
    case .equals: candidate == text
    }
  }

  private func folded(_ text: String) -> String {
    if options.isEmpty { return text }
    var compare: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    return text.folding(options: compare, locale: nil)
  }
}

extension TextMatch {
  /// The SQL function that evaluates a match: of the key's text, the place, the
  /// text and the options; both texts as bytes. Nil matches nothing.
  static let function = DatabaseFunction(
    "moho_matches", argumentCount: 4, pure: true
  ) { values in
    guard
      let candidate = Data.fromDatabaseValue(values[0]),
      let place = String.fromDatabaseValue(values[1]).flatMap(Place.init),
      let text = Data.fromDatabaseValue(values[2]),
      let options = Int.fromDatabaseValue(values[3])
    else { return false }
    return TextMatch(place, String(decoding: text, as: UTF8.self), Options(rawValue: options))
      .matches(String(decoding: candidate, as: UTF8.self))
  }
}
