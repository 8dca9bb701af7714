package import Foundation

extension Date {
  /// The number of milliseconds since 1970: a whole one unless the date is
  /// finer, as the product of the seconds is not exact.
  package var millisecondsSince1970: Double {
    let milliseconds = timeIntervalSince1970 * 1000
    let whole = milliseconds.rounded()
    return Date(timeIntervalSince1970: whole / 1000) == self ? whole : milliseconds
  }
}
