public import Foundation

/// A number of any length, as JSON text spells it.
///
/// ```swift
/// JSONNumber("18446744073709551616")?.decimal
/// ```
///
/// Two numbers are equal if they have the same value: `1.0` equals `1`.
public struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number's text.
  public let text: String

  /// Creates a number; nil if the text is not a JSON number.
  public init?(_ text: String) {
    guard NumberText(text) != nil else { return nil }
    self.text = text
  }

  /// The exact decimal; nil if `Decimal` cannot represent the number. It represents
  /// integers of 128 bits times powers of ten from -128 to 127.
  public var decimal: Decimal? { NumberText(text)?.decimal }

  /// The number's text.
  public var description: String { text }

  /// Whether both have the same value.
  public static func == (one: JSONNumber, other: JSONNumber) -> Bool {
    guard let (one, other) = one.numberText.flatMap({ one in other.numberText.map { (one, $0) } })
    else { return one.text == other.text }
    return one.isEqual(to: other)
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(nearestDouble) }

  /// The nearest double, which is infinite if the number is too large.
  var nearestDouble: Double { Double(text) ?? 0 }

  private var numberText: NumberText? { NumberText(text) }
}
