import Foundation
import GRDB

/// The text form of decimals in columns.
enum DecimalText {
  /// Parses a whole text as a decimal. Returns nil if the text is not a
  /// decimal.
  static func decimal(_ text: String) -> Decimal? {
    // `Decimal(string:)` accepts a text that only starts with a number.
    guard text.utf8.allSatisfy(isPart), Double(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// A collation that sorts decimals by value. Texts that are not decimals come
  /// last.
  static let collation = DatabaseCollation("moho_decimal") { left, right in
    switch (decimal(left), decimal(right)) {
    case (let left?, let right?): order(left, right)
    case (_?, nil): .orderedAscending
    case (nil, _?): .orderedDescending
    case (nil, nil): order(left, right)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
