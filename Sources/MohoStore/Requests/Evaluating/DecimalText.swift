import Foundation
import GRDB

/// Decimals as the text that columns hold.
enum DecimalText {
  /// The decimal that a text spells, all of it, or nil where it spells none.
  static func decimal(_ text: String) -> Decimal? {
    // `Decimal(string:)` is content with a beginning that is a number.
    guard text.utf8.allSatisfy(isPart), Double(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }

  /// Orders texts by the decimals that they spell, before those that spell
  /// none.
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
