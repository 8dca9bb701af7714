public import Foundation
import MohoMapping

/// A number of any length, as a text spells it.
///
/// ```swift
/// JSONNumber("18446744073709551616")?.decimal
/// ```
///
/// Two are equal where they are the same number: `1.0` and `1` are.
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

  /// Whether both are the same number.
  public static func == (one: JSONNumber, other: JSONNumber) -> Bool {
    guard let (one, other) = one.numberText.flatMap({ one in other.numberText.map { (one, $0) } })
    else { return one.text == other.text }
    return one.isEqual(to: other)
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(nearestDouble) }

  /// The nearest double, which is infinite where the number is too large.
  var nearestDouble: Double { Double(text) ?? 0 }

  private var numberText: NumberText? { NumberText(text) }
}
