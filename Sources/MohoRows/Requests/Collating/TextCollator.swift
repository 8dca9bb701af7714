import Foundation
package import MohoMapping
import Synchronization

/// Creates the values that sort texts in the order of a ``TextCollation``.
///
/// With ICU, the value is a sort key, which is compared by its bytes and
/// computed once for each row. Otherwise, the value is the text with the name of
/// the collation. An SQL collation compares these values with Foundation.
package final class TextCollator: Sendable {
  private let collation: TextCollation
  private let locale: Locale
  private let sortKeys: ICUCollator?

  /// Whether sort keys of ICU are used where Foundation has them. The environment variable
  /// `MOHO_SORT_KEYS` with the value `off` turns them off.
  private static let usesSortKeys = ProcessInfo.processInfo.environment["MOHO_SORT_KEYS"] != "off"

  package init(_ collation: TextCollation, usesSortKeys: Bool = usesSortKeys) {
    self.collation = collation
    let locale = Locale(identifier: collation.localeIdentifier)
    // Without a language, Foundation would compare code units.
    self.locale =
      locale.language.languageCode?.isISOLanguage == true ? locale : Locale(identifier: "en")
    sortKeys = usesSortKeys ? ICUCollator(collation) : nil
  }

  /// The collators of the process.
  private static let collators = Lock<[TextCollation: TextCollator]>([:])

  /// Returns the collator of a collation.
  package static func collator(for collation: TextCollation) -> TextCollator {
    if let known = collators.withLock({ $0[collation] }) { return known }
    let new = TextCollator(collation)
    return collators.withLock { collators in
      if let known = collators[collation] { return known }
      collators[collation] = new
      return new
    }
  }

  /// Whether values are sort keys.
  package var hasSortKeys: Bool { sortKeys != nil }

  /// Returns the value to sort a text by, after removing the differences that
  /// the options ignore.
  package func sortContent(of text: String, _ options: TextMatch.Options = []) -> FieldContent {
    let text =
      options.isEmpty ? text : text.folded(options).precomposedStringWithCanonicalMapping
    if let sortKeys { return .data(Data(sortKeys.sortKey(of: text) + Array(text.utf8))) }
    // GRDB truncates texts at their first null character.
    return .string(header + text.replacing("\0", with: "\u{1}"))
  }
}

extension TextCollator {
  private static let separator: Character = "\u{1F}"

  /// The beginning of all values without sort keys.
  private var header: String {
    (collation.comparesNumbers ? "n" : "t") + collation.localeIdentifier + String(Self.separator)
  }

  /// Compares two values that are not sort keys: negative if the first one
  /// precedes the second one, 0 if both are equal, positive otherwise.
  package static func order(_ one: String, _ other: String) -> Int {
    guard let (collation, left) = parsed(one), let (same, right) = parsed(other),
      collation == same
    else { return compareBytes(one.utf8, other.utf8) }
    let order = collator(for: collation).compare(left, right)
    return order == 0 ? compareBytes(left.utf8, right.utf8) : order
  }

  private static func parsed(_ value: String) -> (TextCollation, text: String)? {
    guard let end = value.firstIndex(of: separator) else { return nil }
    let collation = TextCollation(
      localeIdentifier: String(value[..<end].dropFirst()), comparesNumbers: value.first == "n")
    return (collation, String(value[value.index(after: end)...]))
  }

  /// Compares two texts with Foundation.
  private func compare(_ one: String, _ other: String) -> Int {
    one.compare(
      other, options: collation.comparesNumbers ? .numeric : [], range: nil, locale: locale
    ).rawValue
  }

  /// Returns whether a text follows another one in the order of the locale.
  func isIncreasing(_ one: String, _ other: String) -> Bool {
    guard let sortKeys else { return compare(one, other) < 0 }
    return sortKeys.sortKey(of: one).lexicographicallyPrecedes(sortKeys.sortKey(of: other))
  }

  /// Returns the letter under which an alphabetical index of the locale lists a
  /// text. See ``ModelKey/indexLetter(in:)``.
  package func indexLetter(of text: String) -> String {
    let base = text.indexLetter
    guard base != "#", let first = text.first, let scalar = first.unicodeScalars.first else {
      return base
    }
    if scalar.properties.isIdeographic { return "#" }
    let letter = String(String(first).uppercased(with: locale).prefix(1))
      .precomposedStringWithCanonicalMapping
    // A letter of the alphabet follows all texts that start with its base
    // letter. A letter with an accent is sorted among them.
    return letter != base && isIncreasing(base + "z", letter) ? letter : base
  }
}
