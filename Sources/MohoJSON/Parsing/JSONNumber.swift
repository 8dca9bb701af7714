public import Foundation
import MohoMapping

/// A number of any length, as a text spells it.
///
/// ```swift
/// JSONNumber("18446744073709551616")?.decimal
/// ```
///
/// Two are equal where their texts are: `1.0` and `1` are not.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number's text.
  public let text: String

  /// Makes a number of its text; nil where the text is not what JSON has for a
  /// number.
  public init?(_ text: String) {
    guard NumberText(text) != nil else { return nil }
    self.text = text
  }

  /// The decimal number that is exactly this one; nil of more than 38 digits,
  /// or with a power of ten outside -128 to 127.
  public var decimal: Decimal? { NumberText(text)?.decimal }

  /// The number's text.
  public var description: String { text }
}
