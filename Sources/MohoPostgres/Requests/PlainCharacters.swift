import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// The characters that PostgreSQL matches as the process does: characters with a single
/// scalar that do not combine with their neighbors, and that folding replaces by at most one
/// other such character, wherever they occur.
///
/// A text of these characters is matched by a regular expression, in which each character of
/// the pattern is the set of the characters that are folded to it. The sets come from the
/// process, so that the result depends on neither the locale nor the Unicode version of the
/// server. The process matches texts with other characters itself, such as decomposed
/// letters, emoji of several scalars, and `ß` if letter case is ignored.
struct PlainCharacters: Sendable {
  /// A regular expression that finds another character in a text.
  let othersPattern: String
  /// The scalars that are folded to a scalar, except those of ``unchanged``.
  private let sources: [Unicode.Scalar: [Unicode.Scalar]]
  /// The blocks whose characters all are plain and not changed by folding.
  private let unchanged: [ClosedRange<UInt32>]

  /// The blocks whose characters are tested one by one: punctuation, and the Latin, Greek,
  /// Cyrillic and Armenian alphabets.
  private static let alphabets: [ClosedRange<UInt32>] = [
    0x1...0x2AF, 0x370...0x52F, 0x531...0x58A, 0x1E00...0x1FFF, 0x2010...0x2027, 0x2030...0x205E,
    0x20A0...0x20C0, 0x2100...0x21FF, 0xFF01...0xFF9D,
  ]

  /// The blocks that are tested as one text: Hebrew, Arabic, Devanagari, Thai, Georgian and
  /// Khmer letters, symbols, kana, ideographs, Hangul and emoji.
  private static let scripts: [ClosedRange<UInt32>] = [
    0x5D0...0x5EA, 0x621...0x64A, 0x905...0x939, 0xE01...0xE30, 0x10D0...0x10FA, 0x1780...0x17B3,
    0x2500...0x25FF, 0x2600...0x27BF, 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FA,
    0x3105...0x312F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1F3FA,
    0x1F400...0x1F64F, 0x1F680...0x1F6C5, 0x1F900...0x1F9FF,
  ]

  private static let known = Lock<[Int: PlainCharacters]>([:])

  /// Returns the characters for options.
  static func characters(for options: TextMatch.Options) -> PlainCharacters {
    known.withLock { $0.value(for: options.rawValue) { PlainCharacters(options) } }
  }

  private init(_ options: TextMatch.Options) {
    var sources: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    var plain: [UInt32] = []
    for scalar in Self.alphabets.joined().compactMap({ Unicode.Scalar($0) }) {
      guard let folded = scalar.plainFolded(options) else { continue }
      sources[folded, default: []].append(scalar)
      plain.append(scalar.value)
    }
    unchanged = Self.scripts.filter { $0.isUnchanged(options) }
    self.sources = sources
    let ranges = (plain.ranges + unchanged).sorted { $0.lowerBound < $1.lowerBound }
    othersPattern = "[^\(ranges.expression)]"
  }

  /// Returns the regular expression that plain texts match, or nil if none does.
  func expression(_ match: TextMatch) -> String? {
    let elements: [WildcardElement] =
      if match.kind == .like {
        WildcardElement.pattern(match.text, match.options)
      } else {
        match.text.folded(match.options).precomposedStringWithCanonicalMapping
          .map { .character($0) }
      }
    var parts = ""
    for element in elements {
      switch element {
      case .anyText: parts += ".*"
      case .anyCharacter: parts += "."
      case .character(let character):
        guard let part = expression(character) else { return nil }
        parts += part
      }
    }
    return switch match.kind {
    case .contains: "(?:\(parts))"
    case .hasPrefix: "^(?:\(parts))"
    case .hasSuffix: "(?:\(parts))$"
    case .equals, .like, .matches: "^(?:\(parts))$"
    }
  }

  /// Returns the expression of the characters that are folded to a character, or nil if no
  /// plain character is.
  private func expression(_ character: Character) -> String? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
      return nil
    }
    let isUnchanged = unchanged.contains { $0.contains(scalar.value) }
    let found = (sources[scalar] ?? []) + (isUnchanged ? [scalar] : [])
    if found.isEmpty { return nil }
    return "[\(found.map { $0.value...$0.value }.expression)]"
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a character of its own between any plain scalars. A carriage
  /// return and Hangul letters combine with others.
  var isPlain: Bool {
    let text = String(Character(self))
    return self != "\r" && properties.canonicalCombiningClass == .notReordered
      && ("a" + text).count == 2 && (text + "a").count == 2 && (text + text).count == 2
      && text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual([self])
  }

  /// The folded scalar, or nil if the scalar or its folded form is not plain.
  fileprivate func plainFolded(_ options: TextMatch.Options) -> Unicode.Scalar? {
    guard isPlain else { return nil }
    let text = String(Character(self))
    let folded = text.folded(options).precomposedStringWithCanonicalMapping.unicodeScalars
    // The folding of a few symbols depends on their form.
    let other = text.decomposedStringWithCanonicalMapping.folded(options)
      .precomposedStringWithCanonicalMapping.unicodeScalars
    guard folded.count == 1, other.elementsEqual(folded), let scalar = folded.first,
      scalar.isPlain
    else { return nil }
    return scalar
  }
}

extension ClosedRange<UInt32> {
  /// Whether all scalars are characters of their own, also if options ignore differences.
  fileprivate func isUnchanged(_ options: TextMatch.Options) -> Bool {
    let scalars = compactMap { Unicode.Scalar($0) }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    let text = String(view)
    return scalars.count == count && text.count == count
      && [text, text.decomposedStringWithCanonicalMapping].allSatisfy { text in
        text.folded(options).precomposedStringWithCanonicalMapping.unicodeScalars
          .elementsEqual(scalars)
      }
  }
}
