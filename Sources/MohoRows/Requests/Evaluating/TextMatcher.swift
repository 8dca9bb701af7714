import Foundation
import MohoMapping

/// A text match that has been prepared for matching many texts.
///
/// Not `Sendable`, because `Regex` is not.
package struct TextMatcher {
  private enum Pattern {
    case text(String)
    /// A text that is compared by its UTF-8 bytes.
    case bytes(BytePattern)
    case wildcards([WildcardElement])
    case regex(BoundedRegex)
  }

  private let kind: TextMatch.Kind
  private let options: TextMatch.Options
  private let pattern: Pattern

  /// - Throws: The errors of ``BoundedRegex/init(_:ignoresCase:)``.
  package init(_ match: TextMatch) throws {
    kind = match.kind
    options = match.options
    switch match.kind {
    case .contains, .hasPrefix, .hasSuffix, .equals:
      pattern =
        match.comparesBytes
        ? .bytes(BytePattern(match.text)) : .text(match.text.folded(match.options))
    case .like: pattern = .wildcards(WildcardElement.pattern(match.text, match.options))
    case .matches:
      // The regular expression ignores letter case itself. Folding the pattern
      // would turn `\W` into `\w`.
      let text = match.text.folded(match.options.subtracting(.caseInsensitive))
      pattern = .regex(
        try BoundedRegex(text, ignoresCase: match.options.contains(.caseInsensitive)))
    }
  }

  package func matches(_ candidate: String) -> Bool {
    switch pattern {
    case .bytes(let pattern): return pattern.matches(candidate, kind)
    case .text(let text):
      let candidate = candidate.folded(options)
      return switch kind {
      case .contains: text.isEmpty || candidate.contains(text)
      case .hasPrefix: candidate.hasPrefix(text)
      case .hasSuffix: candidate.hasSuffix(text)
      case .equals, .like, .matches: candidate == text
      }
    case .wildcards(let pattern):
      return WildcardElement.matches(Array(candidate.composed(options)), pattern)
    case .regex(let regex):
      let candidate = candidate.folded(options.subtracting(.caseInsensitive))
      return regex.matches(candidate)
    }
  }
}

/// An element of a wildcard pattern.
package enum WildcardElement: Equatable {
  case character(Character)
  case anyCharacter
  case anyText

  package static func pattern(_ text: String, _ options: TextMatch.Options) -> [WildcardElement] {
    var pattern: [WildcardElement] = []
    var rest = Substring(text.composed(options))
    while let character = rest.popFirst() {
      switch character {
      case "*": if pattern.last != .anyText { pattern.append(.anyText) }
      case "?": pattern.append(.anyCharacter)
      case "\\": pattern.append(.character(rest.popFirst() ?? "\\"))
      default: pattern.append(.character(character))
      }
    }
    return pattern
  }

  /// Returns a Boolean value indicating whether the whole text matches the
  /// pattern.
  ///
  /// - Complexity: O(*n* · *m*). After a mismatch, only the last `*` consumes
  ///   one more character. Earlier ones never need to.
  static func matches(_ text: [Character], _ pattern: [WildcardElement]) -> Bool {
    var (position, part) = (0, 0)
    var retry: (position: Int, part: Int)?
    while position < text.count {
      if part < pattern.count, pattern[part] == .anyText {
        retry = (position, part)
        part += 1
      } else if part < pattern.count, pattern[part].isMatched(by: text[position]) {
        position += 1
        part += 1
      } else if let last = retry {
        retry = (last.position + 1, last.part)
        (position, part) = (last.position + 1, last.part + 1)
      } else {
        return false
      }
    }
    return pattern[part...].allSatisfy { $0 == .anyText }
  }

  /// Characters are compared by their bytes. Texts that options have folded are
  /// composed.
  private func isMatched(by character: Character) -> Bool {
    switch self {
    case .character(let own): String(own).hasSameBytes(as: String(character))
    case .anyCharacter: true
    case .anyText: false
    }
  }
}

extension String {
  /// The text after removing the differences that the options ignore.
  package func folded(_ options: TextMatch.Options) -> String {
    if options.isEmpty { return self }
    // Foundation returns the same for ASCII, but is slower.
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? lowercased() : self
    }
    var compare: String.CompareOptions = []
    if options.contains(.caseInsensitive) { compare.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { compare.insert(.diacriticInsensitive) }
    return folding(options: compare, locale: nil)
  }

  /// The folded text in composed form, or the text itself without options.
  fileprivate func composed(_ options: TextMatch.Options) -> String {
    options.isEmpty ? self : folded(options).precomposedStringWithCanonicalMapping
  }

  /// The text that the texts of a section have in common if the options ignore
  /// their differences. Like texts that SQL functions return, it ends at the
  /// first null character.
  package func sectionText(_ options: TextMatch.Options) -> String {
    String(folded(options).precomposedStringWithCanonicalMapping.prefix { $0 != "\0" })
  }

  /// The bytes to sort the text by, after removing the differences that the
  /// options ignore.
  package func sortBytes(_ options: TextMatch.Options) -> [UInt8] {
    options.isEmpty
      ? Array(utf8) : Array(folded(options).precomposedStringWithCanonicalMapping.utf8)
  }

  /// The letter under which an alphabetical index lists the text. See
  /// ``ModelKey/indexLetter``.
  package func indexLetter(in locale: String?) -> String {
    guard let locale else { return indexLetter }
    let collation = TextCollation(localeIdentifier: locale, comparesNumbers: false)
    return TextCollator.collator(for: collation).indexLetter(of: self)
  }

  /// The letter independently of locales.
  var indexLetter: String {
    let start = String(prefix(1)).folded([.caseInsensitive, .diacriticInsensitive])
    guard let first = start.first, first.isLetter else { return "#" }
    return String(first.uppercased().prefix(1)).precomposedStringWithCanonicalMapping
  }
}
