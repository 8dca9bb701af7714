public import Foundation
import Synchronization

extension Transform where Value == Double {
  /// A localized number in a string, such as `12,345.678`.
  ///
  /// A string can have a sign, and digits with or without grouping separators.
  /// A number is written with at most `fractionDigits` fraction digits and 15
  /// digits in total, so it may be rounded. A number that is not finite is an
  /// error.
  ///
  /// - Parameters:
  ///   - locale: The locale of digits and separators.
  ///   - fractionDigits: The maximum number of fraction digits.
  public static func decimalFormat(
    locale: Locale, fractionDigits: Int = 15
  ) -> Transform<Double> {
    let formatter = SharedNumberFormatter(locale: locale, fractionDigits: fractionDigits)
    return Transform<String>.standard.map(
      expected: "number like \(quoted(formatter.text(1234.5) ?? ""))",
      to: { formatter.number($0) },
      writable: "finite number",
      from: { formatter.text($0) }
    ).sampled { Double.sample($0) }
      .described(
        as: FieldSchema(
          .string(format: nil, pattern: nil), storedAs: "string number \(locale.identifier)"))
  }
}

/// A number formatter for use from several threads.
private final class SharedNumberFormatter: Sendable {
  private let formatter: Lock<NumberFormatter>
  private let signs: [Character]
  private let separators: [Character]

  init(locale: Locale, fractionDigits: Int) {
    let formatter = NumberFormatter()
    formatter.locale = locale
    formatter.numberStyle = .decimal
    formatter.maximumFractionDigits = max(0, fractionDigits)
    formatter.isLenient = false
    signs = [formatter.minusSign, formatter.plusSign].compactMap { $0.first } + ["-", "+"]
    separators = [formatter.groupingSeparator, formatter.decimalSeparator].compactMap { $0.first }
    self.formatter = Lock(formatter)
  }

  func number(_ text: String) -> Double? {
    // The formatter accepts a string that only begins with a number.
    let unsigned = text.first.map(signs.contains) == true ? text.dropFirst() : text[...]
    guard unsigned.first?.isNumber == true, unsigned.last?.isNumber == true,
      unsigned.allSatisfy({ $0.isNumber || separators.contains($0) })
    else { return nil }
    return formatter.withLock { $0.number(from: text)?.doubleValue }
  }

  func text(_ number: Double) -> String? {
    guard number.isFinite else { return nil }
    return formatter.withLock { $0.string(from: NSNumber(value: number)) }
  }
}
