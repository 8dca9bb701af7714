import Foundation

extension Date {
  /// Parses a day such as 2026-12-01, which begins at midnight in a time zone. The
  /// result is nil for other text and for days that do not exist.
  public init?(day text: some StringProtocol, in timeZone: TimeZone = .gmt) {
    let style = ISO8601FormatStyle(timeZone: timeZone).year().month().day()
    // The style parses February 31 as March 3, and ignores text after the day.
    guard let day = try? style.parse(String(text)), day.formatted(style) == text else {
      return nil
    }
    self = day
  }
}
