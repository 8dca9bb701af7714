public import Foundation
import Synchronization

extension Transform where Value == Double {
  /// A number in text for people, such as `12,345.678`, with the digits and
  /// separators of a locale.
  ///
  /// Read are a sign or none and digits, with or without grouping, and with
  /// nothing behind. Written is the number rounded to so many digits behind the
  /// separator, and to 15 digits in all: what is rounded off is lost. A number
  /// that is not finite is an error.
  ///
  /// - Parameters:
  ///   - locale: Whose digits and separators are read and written.
  ///   - fractionDigits: The most digits behind the separator.
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
  }
}

/// A formatter that one thread uses at a time.
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
    // The formatter is content with a beginning that is a number.
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
