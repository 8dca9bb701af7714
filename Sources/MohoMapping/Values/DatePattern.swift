public import Foundation
import Synchronization

/// A date's text by a pattern, such as `MMMM d, yyyy` for
/// `September 25, 2015`.
///
/// Patterns are those of Unicode Technical Standard #35, in the Gregorian
/// calendar, read and written by Foundation's `DateFormatter`, not leniently:
/// `September 37, 2015` is none. The formatter does read names in any case and
/// in short, and numbers with fewer or more digits than the pattern has. Text
/// that begins or ends with white space is none either.
///
/// What the pattern leaves out is lost in writing; in reading, it is that of
/// 2000-01-01T00:00:00 in the time zone. Years of two digits lie between 1950
/// and 2049.
///
/// A value that threads may share. They take turns at one formatter.
public struct DatePattern: Hashable, Sendable {
  /// The locale of texts that are made for programs: `en_US_POSIX`.
  public static let standardLocale = Locale(identifier: "en_US_POSIX")

  /// The pattern.
  public var pattern: String { formatter.pattern }
  /// Whose names of months and days are read and written.
  public var locale: Locale { formatter.locale }
  /// The time zone of dates whose text names none.
  public var timeZone: TimeZone { formatter.timeZone }

  // One reference, because date formats are handed on with each date.
  private let formatter: SharedDateFormatter

  /// Makes a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. The empty one reads nothing.
  ///   - locale: Whose names of months and days are read and written.
  ///   - timeZone: The time zone of dates whose text names none.
  public init(
    _ pattern: String, locale: Locale = standardLocale, timeZone: TimeZone = .gmt
  ) {
    formatter = SharedDateFormatter(pattern, locale: locale, timeZone: timeZone)
  }

  /// The date that a text spells, or nil where it spells none.
  public func date(_ text: String) -> Date? {
    guard !pattern.isEmpty, text.first?.isWhitespace == false, text.last?.isWhitespace == false
    else { return nil }
    return formatter.date(text)
  }

  /// The text of a date, or nil for dates outside the years 0 to 9999 of UTC.
  public func text(_ date: Date) -> String? {
    ISO8601.covers(date) ? formatter.text(date) : nil
  }

  /// Whether the patterns are written alike, with one locale and time zone.
  public static func == (one: Self, other: Self) -> Bool {
    one.pattern == other.pattern && one.locale == other.locale && one.timeZone == other.timeZone
  }

  /// Hashes the pattern, the locale and the time zone.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(locale)
    hasher.combine(timeZone)
  }
}

/// A formatter that one thread uses at a time: its settings are never changed,
/// but what it does in reading is not promised to be safe everywhere.
private final class SharedDateFormatter: Sendable {
  let pattern: String
  let locale: Locale
  let timeZone: TimeZone
  private let formatter: Lock<DateFormatter>

  init(_ pattern: String, locale: Locale, timeZone: TimeZone) {
    self.pattern = pattern
    self.locale = locale
    self.timeZone = timeZone
    let formatter = DateFormatter()
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = locale
    calendar.timeZone = timeZone
    formatter.calendar = calendar
    formatter.locale = locale
    formatter.timeZone = timeZone
    formatter.isLenient = false
    formatter.dateFormat = pattern
    formatter.twoDigitStartDate = ISO8601.date("1950-01-01T00:00:00Z")
    formatter.defaultDate = ISO8601.date("2000-01-01T00:00:00Z").map {
      $0 - Double(timeZone.secondsFromGMT(for: $0))
    }
    self.formatter = Lock(formatter)
  }

  func date(_ text: String) -> Date? { formatter.withLock { $0.date(from: text) } }
  func text(_ date: Date) -> String { formatter.withLock { $0.string(from: date) } }
}
