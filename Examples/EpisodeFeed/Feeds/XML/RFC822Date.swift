import Foundation
import Moho

/// Dates of RFC 822 and its successors, as feeds write them: with or without
/// the day of the week and seconds, with years of two or four digits, names in
/// any case and length, and zones by name. Comments in parentheses are ignored.
enum RFC822Date {
  /// The offsets of zones in minutes. The single letters of RFC 822 are UTC, as
  /// RFC 2822 demands. A missing zone is UTC, too.
  private static let zones = [
    "": 0, "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60,
    "CEST": 120, "MET": 60, "MEST": 120, "EET": 120, "EEST": 180, "MSK": 180, "JST": 540,
    "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240,
    "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540,
    "AKDT": -480, "HST": -600,
  ]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses a date; nil for other text and for days that do not exist.
  static func date(_ text: String) -> Date? {
    let text = text.replacing(/\([^()]*\)/, with: " ").trimmingCharacters(in: .whitespaces)
    let pattern =
      /(?:[A-Za-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([A-Za-z]{3,9})\.?[\s-]+(\d{4}|\d{2})\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([A-Za-z]{0,5}|(?:GMT|UTC)?\s*[+-]\d{1,2}:?\d{2})/
    guard let match = text.wholeMatch(of: pattern),
      let day = Int(match.1), var year = Int(match.3), let hour = Int(match.4),
      let month = months.firstIndex(of: String(match.2.lowercased().prefix(3))),
      let offset = offset(String(match.7))
    else { return nil }
    if match.3.count == 2 { year += year < 50 ? 2000 : 1900 }
    // A leap second is the first second of the next minute.
    let second = match.6.flatMap { Int($0) } ?? 0
    let digits = [
      padded(year, 4), "-", padded(month + 1, 2), "-", padded(day, 2), "T", padded(hour, 2), ":",
      String(match.5), ":", padded(min(second, 59), 2), "Z",
    ]
    guard second <= 60, let date = DateFormat.iso8601.date(digits.joined()) else { return nil }
    return date - Double(offset * 60) + (second == 60 ? 1 : 0)
  }

  /// Formats a date in UTC, without fractions of a second.
  static func text(_ date: Date) -> String {
    let style = Date.VerbatimFormatStyle(
      format: """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
        \(minute: .twoDigits):\(second: .twoDigits) GMT
        """,
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
      calendar: Calendar(identifier: .gregorian))
    return date.formatted(style)
  }

  /// The offset of a zone in minutes.
  private static func offset(_ zone: String) -> Int? {
    let zone = zone.uppercased().replacing(/^(?:GMT|UTC)?\s*(?=[+-])/, with: "")
    guard let sign = zone.first, sign == "+" || sign == "-" else {
      return zones[zone] ?? (zone.count == 1 ? 0 : nil)
    }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return nil }
    let minutes = number / 100 * 60 + number % 100
    return sign == "-" ? -minutes : minutes
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
