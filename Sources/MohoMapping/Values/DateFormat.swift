public import Foundation

/// The form of a date in formats that have no date type, such as JSON.
public enum DateFormat: Hashable, Sendable {
  /// A string such as `2026-11-20T08:30:00Z`: a calendar date, `T` or a space,
  /// the time with an optional fraction of a second, and the offset from UTC as
  /// `Z`, `+hh:mm` or `+hhmm`. Dates are written in UTC, with a fraction only
  /// if they have one, of as many digits as necessary. Dates within a hundredth
  /// of a second of 2001-01-01T00:00:00Z are rounded to 18 digits.
  case iso8601
  /// A string such as `2026-11-20`: a calendar date of ten characters. It is
  /// read as its first moment in UTC. Dates are written as their day in UTC,
  /// without the time.
  case iso8601Date
  /// The number of seconds since 1970-01-01T00:00:00Z. A date is rounded to a
  /// double, which is a quarter of a microsecond in this century.
  case epochSeconds
  /// The number of milliseconds since 1970-01-01T00:00:00Z. Whole milliseconds are
  /// exact. Other dates are rounded to a double, which is a quarter of a
  /// microsecond in this century.
  case epochMilliseconds
  /// A string with a pattern.
  case pattern(DatePattern)
  /// Any of several formats. Dates are read in the first format that matches,
  /// and written in the first format.
  case oneOf([DateFormat])

  /// A string with a pattern of Unicode Technical Standard #35; see
  /// ``DatePattern``.
  public static func format(
    _ pattern: String,
    locale: Locale = DatePattern.standardLocale,
    timeZone: TimeZone = .gmt
  ) -> DateFormat {
    .pattern(DatePattern(pattern, locale: locale, timeZone: timeZone))
  }

  /// A description of the format, for messages.
  public var expectation: String {
    switch self {
    case .iso8601: "ISO 8601 date and time"
    case .iso8601Date: "ISO 8601 date"
    case .epochSeconds: "seconds since 1970"
    case .epochMilliseconds: "milliseconds since 1970"
    case .pattern(let pattern): "date like `\(pattern.pattern)`"
    case .oneOf(let formats): formats.map(\.expectation).joined(separator: " or ")
    }
  }

  /// A description of the format, for the message about a text that is not a
  /// date in it.
  package func expectation(for text: String) -> String {
    switch self {
    case .iso8601 where ISO8601.date(text + "Z") != nil:
      "\(expectation) with a time zone, such as `Z` or `+01:00`"
    case .oneOf(let formats):
      formats.map { $0.expectation(for: text) }.joined(separator: " or ")
    default: expectation
    }
  }

  /// Mistakes in the declaration of the format.
  var problems: [String] {
    switch self {
    case .iso8601, .iso8601Date, .epochSeconds, .epochMilliseconds: []
    case .pattern(let pattern): pattern.pattern.isEmpty ? ["the date pattern is empty"] : []
    case .oneOf(let formats):
      formats.isEmpty ? ["the list of date formats is empty"] : formats.flatMap(\.problems)
    }
  }
}

extension DateFormat {
  /// Whether dates can be strings.
  package var holdsText: Bool {
    switch self {
    case .iso8601, .iso8601Date, .pattern: true
    case .epochSeconds, .epochMilliseconds: false
    case .oneOf(let formats): formats.contains { $0.holdsText }
    }
  }

  /// Whether dates can be numbers.
  package var holdsNumbers: Bool {
    switch self {
    case .iso8601, .iso8601Date, .pattern: false
    case .epochSeconds, .epochMilliseconds: true
    case .oneOf(let formats): formats.contains { $0.holdsNumbers }
    }
  }

  /// Parses a date. Returns nil if the text does not have the format, or if
  /// the format consists of numbers.
  ///
  /// Decoders of text formats use it for ``FieldDecoder/date(at:_:)``.
  public func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(utf8: $0) }
  }

  /// Parses a date from UTF-8 bytes.
  package func date(utf8 text: UnsafeBufferPointer<UInt8>) -> Date? {
    switch self {
    case .iso8601: return ISO8601.date(utf8: text)
    case .iso8601Date: return ISO8601.day(utf8: text)
    case .epochSeconds, .epochMilliseconds: return nil
    case .pattern(let pattern): return pattern.date(String(decoding: text, as: UTF8.self))
    case .oneOf(let formats):
      for format in formats {
        if let date = format.date(utf8: text) { return date }
      }
      return nil
    }
  }

  /// Converts a number to a date. Returns nil if dates are not numbers.
  package func date(_ number: Double) -> Date? {
    switch self {
    case .iso8601, .iso8601Date, .pattern: nil
    case .epochSeconds: Date(timeIntervalSince1970: number)
    case .epochMilliseconds: Date(timeIntervalSince1970: number / 1000)
    case .oneOf(let formats): formats.first { $0.holdsNumbers }?.date(number)
    }
  }
}

extension Date {
  /// The number of milliseconds since 1970. It is an integer if that represents
  /// the date exactly: multiplying the seconds would introduce a rounding
  /// error.
  package var millisecondsSince1970: Double {
    let milliseconds = timeIntervalSince1970 * 1000
    let whole = milliseconds.rounded()
    return Date(timeIntervalSince1970: whole / 1000) == self ? whole : milliseconds
  }
}
