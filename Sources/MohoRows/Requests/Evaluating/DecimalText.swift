package import Foundation

/// The text form of decimals in columns.
package enum DecimalText {
  /// Parses a whole text as a decimal. Returns nil if the text is not a
  /// decimal.
  package static func decimal(_ text: String) -> Decimal? {
    // `Decimal(string:)` accepts a text that only starts with a number.
    guard text.utf8.allSatisfy(isPart), Double(text) != nil else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
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
