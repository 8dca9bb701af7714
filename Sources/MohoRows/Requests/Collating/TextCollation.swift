public import Foundation

/// An order of texts that people expect: the order of a dictionary in a
/// language.
///
/// ```swift
/// let request = ModelRequest<Episode>().order(by: \.title, collation: .localizedStandard)
/// ```
///
/// In English, the order is `Ash`, `basalt`, `Éclogite`, `gneiss`. In Swedish,
/// `ä` follows `z`.
///
/// The order is total: texts that the language considers equal are sorted by
/// their UTF-8 bytes. SQL, evaluation in memory and results use the same order.
///
/// A collation contains the identifier of its locale. A request and its running
/// results keep their order if the user changes the language or the region. To
/// follow such a change, create the request again.
public struct TextCollation: Sendable, Hashable {
  /// The identifier of the locale, such as `sv_SE`.
  public let localeIdentifier: String

  /// Whether digits are compared by the value of the number, so that
  /// `Episode 2` precedes `Episode 10`.
  public let comparesNumbers: Bool

  package init(localeIdentifier: String, comparesNumbers: Bool) {
    self.localeIdentifier = localeIdentifier
    self.comparesNumbers = comparesNumbers
  }

  /// The order of the current locale, with numbers compared by their values, as
  /// in Finder and in `localizedStandardCompare(_:)`.
  public static var localizedStandard: TextCollation { localizedStandard(in: .current) }

  /// The order of the current locale, as in `localizedCompare(_:)`.
  public static var localized: TextCollation { localized(in: .current) }

  /// Returns the order of a locale, with numbers compared by their values.
  public static func localizedStandard(in locale: Locale) -> TextCollation {
    TextCollation(localeIdentifier: locale.identifier, comparesNumbers: true)
  }

  /// Returns the order of a locale.
  public static func localized(in locale: Locale) -> TextCollation {
    TextCollation(localeIdentifier: locale.identifier, comparesNumbers: false)
  }
}

extension TextCollation: CustomStringConvertible {
  /// The kind of the order and the locale, such as `localizedStandard(sv_SE)`.
  public var description: String {
    "\(comparesNumbers ? "localizedStandard" : "localized")(\(localeIdentifier))"
  }
}
