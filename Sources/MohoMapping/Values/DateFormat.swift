/// How formats without dates of their own, such as JSON, hold a date.
public enum DateFormat: Hashable, Sendable {
  /// Text such as `2026-11-20T08:30:00Z`: a calendar date, `T` or a space, the
  /// time with or without a fraction of a second, and the offset from UTC as
  /// `Z`, `+hh:mm` or `+hhmm`. Written in UTC, with a fraction where there is
  /// one.
  case iso8601
  /// The number of seconds since 1970-01-01T00:00:00Z.
  case epochSeconds
  /// The number of milliseconds since 1970-01-01T00:00:00Z.
  case epochMilliseconds

  /// What the format expects, for messages.
  public var expectation: String {
    switch self {
    case .iso8601: "ISO 8601 date and time"
    case .epochSeconds: "seconds since 1970"
    case .epochMilliseconds: "milliseconds since 1970"
    }
  }
}
