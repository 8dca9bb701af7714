public import Foundation

/// Dates keep being dates where a format has them: a store holds the date
/// itself, whatever the text that documents hold.
extension Transform where Value == Date {
  /// Text by ISO 8601; see ``DateFormat/iso8601``.
  public static let iso8601 = dates(.iso8601)

  /// A day by ISO 8601, such as `2026-11-20`; see ``DateFormat/iso8601Date``.
  public static let iso8601Date = dates(.iso8601Date)

  /// A number of seconds since 1970.
  ///
  /// Seconds in a string are a transform of one's own:
  ///
  /// ```swift
  /// Transform<Double>.numberInString.map(
  ///   to: { Date(timeIntervalSince1970: $0) }, from: { $0.timeIntervalSince1970 })
  /// ```
  public static let epochSeconds = dates(.epochSeconds)

  /// A number of milliseconds since 1970.
  public static let epochMilliseconds = dates(.epochMilliseconds)

  /// Text by a pattern of Unicode Technical Standard #35; see ``DatePattern``.
  ///
  /// ```swift
  /// .key("releasedAt", \.releasedAt, .format("MMMM d, yyyy", locale: Locale(identifier: "en_US")))
  /// ```
  ///
  /// An empty pattern is a mistake of the declaration.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - locale: Whose names of months and days are read and written.
  ///   - timeZone: The time zone of dates whose text names none.
  public static func format(
    _ pattern: String,
    locale: Locale = DatePattern.standardLocale,
    timeZone: TimeZone = .gmt
  ) -> Transform<Date> {
    dates(.format(pattern, locale: locale, timeZone: timeZone))
  }

  /// Any of several forms: read by the first that the value has, written by
  /// the first of all.
  ///
  /// ```swift
  /// .key("publishedAt", \.publishedAt, .dates(.iso8601, .iso8601Date, .epochSeconds))
  /// ```
  ///
  /// - Parameter formats: The forms. None at all is a mistake of the
  ///   declaration.
  public static func dates(_ formats: DateFormat...) -> Transform<Date> {
    let format = formats.count == 1 ? formats[0] : .oneOf(formats)
    return Transform(
      type: .date,
      isOptional: false,
      problems: format.problems,
      form: .date(format),
      read: { decoder, index in try decoder.date(at: index, format) },
      write: { date, encoder, index in try encoder.encode(date, format, at: index) },
      sample: { Date.sample($0) })
  }
}
