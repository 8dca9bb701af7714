public import Foundation
import Synchronization

/// A pattern for dates in strings, such as `MMMM d, yyyy` for
/// `September 25, 2015`.
///
/// Patterns follow Unicode Technical Standard #35 and use the Gregorian
/// calendar. Foundation's `DateFormatter` reads and writes them, without
/// lenient parsing: `September 37, 2015` is not valid. It accepts names in any
/// case, abbreviated names, and numbers with fewer or more digits than the
/// pattern. Leading and trailing white space is not valid.
///
/// Components that the pattern omits are lost when a date is written. When a
/// date is read, they are those of 2000-01-01T00:00:00 in the time zone.
/// Two-digit years are between 1950 and 2049.
///
/// Threads can share a pattern. They use one formatter in turn.
public struct DatePattern: Hashable, Sendable {
  /// The locale of machine-readable dates: `en_US_POSIX`.
  public static let standardLocale = Locale(identifier: "en_US_POSIX")

  /// The pattern.
  public var pattern: String { formatter.pattern }
  /// The locale of month and day names.
  public var locale: Locale { formatter.locale }
  /// The time zone of strings that contain none.
  public var timeZone: TimeZone { formatter.timeZone }

  // A single reference, because a date format is passed with every date.
  private let formatter: SharedDateFormatter

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern. An empty pattern matches no string.
  ///   - locale: The locale of month and day names.
  ///   - timeZone: The time zone of strings that contain none.
  public init(
    _ pattern: String, locale: Locale = standardLocale, timeZone: TimeZone = .gmt
  ) {
    formatter = SharedDateFormatter(pattern, locale: locale, timeZone: timeZone)
  }

  /// Parses a date. Returns nil if the text does not match the pattern.
  public func date(_ text: String) -> Date? {
    guard !pattern.isEmpty, text.first?.isWhitespace == false, text.last?.isWhitespace == false
    else { return nil }
    return formatter.date(text)
  }

  /// Formats a date. Returns nil for dates outside the years 0 to 9999 in UTC.
  public func text(_ date: Date) -> String? {
    ISO8601.covers(date) ? formatter.text(date) : nil
  }

  /// Whether the patterns, the locales and the time zones are equal.
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

/// A date formatter for use from several threads. `DateFormatter` does not
/// guarantee that concurrent parsing is safe on all platforms.
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
