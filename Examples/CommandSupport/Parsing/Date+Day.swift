import Foundation

extension Date {
  /// Parses a day in UTC, such as 2026-12-01. The result is nil for other text and
  /// for days that do not exist.
  public init?(day text: some StringProtocol) {
    let style = ISO8601FormatStyle().year().month().day()
    // The style parses February 31 as March 3, and ignores text after the day.
    guard let day = try? style.parse(String(text)), day.formatted(style) == text else {
      return nil
    }
    self = day
  }
}
