import Foundation
import MohoMapping

/// The dates of PostgreSQL: microseconds since 2000-01-01T00:00:00Z.
///
/// A date is rounded to the nearest microsecond. A date halfway between two
/// microseconds is rounded away from 2001-01-01T00:00:00Z. Infinite dates are
/// stored as `infinity` and `-infinity`.
enum PostgresDate {
  /// The time from 2000-01-01 to 2001-01-01, in microseconds.
  private static let offset: Int64 = 31_622_400_000_000
  /// The dates from 4714-11-24 BC to the end of the year 294276.
  private static let range: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000

  /// Returns the date that a column stores.
  ///
  /// - Throws: A `MappingError` if no column can store the date.
  static func rounded(_ date: Date) throws -> Date { Self.date(try microseconds(of: date)) }

  /// - Throws: A `MappingError` if no column can store the date.
  static func microseconds(of date: Date) throws -> Int64 {
    let interval = date.timeIntervalSinceReferenceDate
    if interval.isInfinite { return interval < 0 ? .min : .max }
    // The fraction of a second is rounded separately, because the product of
    // the whole interval would be rounded twice.
    let seconds = interval.rounded(.towardZero)
    let fraction = ((interval - seconds) * 1_000_000).rounded()
    guard let seconds = Int64(exactly: seconds) else { throw unstorable(date) }
    let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflowsSum) = product.addingReportingOverflow(Int64(fraction) + offset)
    guard !overflows, !overflowsSum, range.contains(sum) else { throw unstorable(date) }
    return sum
  }

  static func date(_ microseconds: Int64) -> Date {
    if microseconds == .max { return Date(timeIntervalSinceReferenceDate: .infinity) }
    if microseconds == .min { return Date(timeIntervalSinceReferenceDate: -.infinity) }
    let (value, overflows) = microseconds.subtractingReportingOverflow(offset)
    // No column contains such a date.
    if overflows { return Date(timeIntervalSinceReferenceDate: -.infinity) }
    // A quotient of exact doubles is rounded once. Beyond this limit a double
    // cannot represent all microseconds, and its own seconds are exact.
    guard value.magnitude >= 9_000_000_000_000_000 else {
      return Date(timeIntervalSinceReferenceDate: Double(value) / 1_000_000)
    }
    let (seconds, fraction) = value.quotientAndRemainder(dividingBy: 1_000_000)
    return Date(
      timeIntervalSinceReferenceDate: Double(seconds) + Double(fraction) / 1_000_000)
  }

  private static func unstorable(_ date: Date) -> MappingError {
    MappingError(
      .invalidValue, found: FieldContent.date(date).summary,
      expected: "date from 4713 BC to 294276")
  }
}
