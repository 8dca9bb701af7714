import Foundation
import MohoMapping
import MohoRows

/// A condition in SQL that all matching texts of a column satisfy, so that the
/// process reads fewer texts.
struct NarrowedTexts {
  /// The text of the condition's parameter.
  let argument: String
  private let options: TextMatch.Options

  /// The characters outside ASCII that have ASCII characters after folding,
  /// other than letters with accents.
  static let foldedToASCII = "ßŉſẚẛẞﬀﬁﬂﬃﬄﬅﬆ"
  /// The characters outside ASCII that Swift considers equal to ASCII
  /// characters.
  static let equalToASCII = "\u{212A}\u{37E}\u{1FEF}"

  /// Returns nil if every text of a column may match.
  init?(_ match: TextMatch) {
    options = match.options
    argument = match.longestASCIIPart
    if argument.isEmpty { return nil }
  }

  /// - Parameter number: The number of the parameter.
  func condition(_ column: String, parameter number: Int) -> String {
    var text = column
    if options.contains(.diacriticInsensitive) {
      // The letters without their accents, and without other characters.
      text = #"regexp_replace(normalize(\#(column), NFD), E'[^\\x01-\\x7F]', '', 'g')"#
    }
    if options.contains(.caseInsensitive) { text = "lower(\(text) COLLATE \"C\")" }
    return "(strpos(\(text), $\(number)) > 0"
      + " OR \(column) ~ '[\(Self.foldedToASCII)\(Self.equalToASCII)]')"
  }
}

extension TextMatch {
  /// The longest text of ASCII characters that every matching text has after
  /// folding.
  fileprivate var longestASCIIPart: String {
    let elements: [WildcardElement]
    switch kind {
    case .contains, .hasPrefix, .hasSuffix, .equals:
      elements = text.folded(options).map { .character($0) }
    case .like: elements = WildcardElement.pattern(text, options)
    case .matches: return ""
    }
    var longest = ""
    var current = ""
    for element in elements {
      if case .character(let character) = element, let byte = character.utf8.first,
        character.utf8.count == 1, byte > 0, byte != 0x0D
      {
        current.append(character)
        if current.utf8.count > longest.utf8.count { longest = current }
      } else {
        current = ""
      }
    }
    return longest
  }
}
