public import Foundation

/// Formats with a date type ignore the form: a store holds dates as dates.
extension Transform where Value == Date {
  /// A date and time in ISO 8601 format; see ``DateFormat/iso8601``.
  public static let iso8601 = dates(.iso8601)

  /// A calendar date in ISO 8601 format, such as `2026-11-20`; see
  /// ``DateFormat/iso8601Date``.
  public static let iso8601Date = dates(.iso8601Date)

  /// The number of seconds since 1970, rounded to a double; see
  /// ``DateFormat/epochSeconds``.
  ///
  /// For seconds in a string, use a custom transform:
  ///
  /// ```swift
  /// Transform<Double>.numberInString.map(
  ///   to: { Date(timeIntervalSince1970: $0) }, from: { $0.timeIntervalSince1970 })
  /// ```
  public static let epochSeconds = dates(.epochSeconds)

  /// The number of milliseconds since 1970, rounded to a double; see
  /// ``DateFormat/epochMilliseconds``.
  public static let epochMilliseconds = dates(.epochMilliseconds)

  /// A string with a pattern of Unicode Technical Standard #35; see
  /// ``DatePattern``.
  ///
  /// ```swift
  /// .key("releasedAt", \.releasedAt, .format("MMMM d, yyyy", locale: Locale(identifier: "en_US")))
  /// ```
  ///
  /// An empty pattern is a mistake in the declaration.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - locale: The locale of month and day names.
  ///   - timeZone: The time zone of strings that contain none.
  public static func format(
    _ pattern: String,
    locale: Locale = DatePattern.standardLocale,
    timeZone: TimeZone = .gmt
  ) -> Transform<Date> {
    dates(.format(pattern, locale: locale, timeZone: timeZone))
  }

  /// A date in any of several formats. It is read in the first format that
  /// matches, and written in the first format.
  ///
  /// ```swift
  /// .key("publishedAt", \.publishedAt, .dates(.iso8601, .iso8601Date, .epochSeconds))
  /// ```
  ///
  /// - Parameter formats: The formats. An empty list is a mistake in the
  ///   declaration.
  public static func dates(_ formats: DateFormat...) -> Transform<Date> {
    let format = formats.count == 1 ? formats[0] : .oneOf(formats)
    return Transform(
      type: .date,
      isOptional: false,
      problems: format.problems,
      form: .date,
      dateFormat: format,
      schema: .date(format),
      read: { decoder, index in try decoder.date(at: index, format) },
      write: { date, encoder, index in try encoder.encode(date, format, at: index) },
      sample: { Date.sample($0) })
  }
}
