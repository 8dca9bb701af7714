public import Foundation

extension Transform where Value == Date {
  /// Text by ISO 8601; see ``DateFormat/iso8601``.
  public static let iso8601 = date(.iso8601)

  /// A number of seconds since 1970.
  public static let epochSeconds = date(.epochSeconds)

  /// A number of milliseconds since 1970.
  public static let epochMilliseconds = date(.epochMilliseconds)

  private static func date(_ format: DateFormat) -> Transform<Date> {
    Transform(
      type: .date,
      isOptional: false,
      read: { decoder, index in try decoder.date(at: index, format) },
      write: { date, encoder, index in try encoder.encode(date, format, at: index) },
      sample: { Date.sample($0) })
  }
}
