public import Foundation

/// How formats without dates of their own, such as JSON, hold a date.
public enum DateFormat: Hashable, Sendable {
  /// Text such as `2026-11-20T08:30:00Z`: a calendar date, `T` or a space, the
  /// time with or without a fraction of a second, and the offset from UTC as
  /// `Z`, `+hh:mm` or `+hhmm`. Written in UTC, with a fraction where there is
  /// one.
  case iso8601
  /// Text such as `2026-11-20`: a calendar date of ten characters, which stands
  /// for its first moment in UTC. Written as the day that the date lies in, in
  /// UTC; the time of day is lost.
  case iso8601Date
  /// The number of seconds since 1970-01-01T00:00:00Z.
  case epochSeconds
  /// The number of milliseconds since 1970-01-01T00:00:00Z.
  case epochMilliseconds
  /// Text by a pattern.
  case pattern(DatePattern)
  /// Any of several formats: read by the first that the value has, written by
  /// the first of all.
  case oneOf([DateFormat])

  /// Text by a pattern of Unicode Technical Standard #35; see ``DatePattern``.
  public static func format(
    _ pattern: String,
    locale: Locale = DatePattern.standardLocale,
    timeZone: TimeZone = .gmt
  ) -> DateFormat {
    .pattern(DatePattern(pattern, locale: locale, timeZone: timeZone))
  }

  /// What the format expects, for messages.
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

  /// What is wrong with the declaration of the format.
  var problems: [String] {
    switch self {
    case .iso8601, .iso8601Date, .epochSeconds, .epochMilliseconds: []
    case .pattern(let pattern): pattern.pattern.isEmpty ? ["the date pattern is empty"] : []
    case .oneOf(let formats):
      formats.isEmpty ? ["the list of date formats is empty"] : formats.flatMap(\.problems)
    }
  }
}

/// For adapters of formats that hold text and numbers.
extension DateFormat {
  /// Whether dates may be text.
  package var holdsText: Bool {
    switch self {
    case .iso8601, .iso8601Date, .pattern: true
    case .epochSeconds, .epochMilliseconds: false
    case .oneOf(let formats): formats.contains { $0.holdsText }
    }
  }

  /// Whether dates may be numbers.
  package var holdsNumbers: Bool {
    switch self {
    case .iso8601, .iso8601Date, .pattern: false
    case .epochSeconds, .epochMilliseconds: true
    case .oneOf(let formats): formats.contains { $0.holdsNumbers }
    }
  }

  /// The date that a text in UTF-8 spells, or nil where it spells none.
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

  /// The date that a number stands for, or nil where numbers stand for none.
  package func date(_ number: Double) -> Date? {
    switch self {
    case .iso8601, .iso8601Date, .pattern: nil
    case .epochSeconds: Date(timeIntervalSince1970: number)
    case .epochMilliseconds: Date(timeIntervalSince1970: number / 1000)
    case .oneOf(let formats): formats.first { $0.holdsNumbers }?.date(number)
    }
  }
}
