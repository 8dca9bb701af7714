package import Foundation

/// Reads and writes ISO 8601 dates in the forms of ``DateFormat/iso8601``.
///
/// Days are counted in the proleptic Gregorian calendar, with the algorithms of
/// Howard Hinnant, *chrono-Compatible Low-Level Date Algorithms* (2013).
///
/// - Complexity: Constant. Reading allocates only for dates with a fraction within 8
///   seconds of 2001-01-01T00:00:00Z.
package enum ISO8601 {
  /// Parses a date and time. Returns nil if the text is not valid. Years have
  /// four digits, and leap seconds (`:60`) are not valid.
  package static func date(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(utf8: $0) }
  }

  /// Parses a calendar date such as `2026-11-20` and returns its first moment
  /// in UTC.
  package static func day(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { day(utf8: $0) }
  }

  static func day(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = Scanner(bytes: bytes)
    guard let day = scanner.day(), scanner.isAtEnd else { return nil }
    return Date(timeIntervalSinceReferenceDate: Double(day * 86_400))
  }

  /// Returns the calendar date in UTC, or nil outside the years 0 to 9999.
  package static func dayText(_ date: Date) -> String? {
    text(date).map { String($0.prefix(10)) }
  }

  /// Whether a date is in the years 0 to 9999.
  package static func covers(_ date: Date) -> Bool {
    let interval = date.timeIntervalSinceReferenceDate
    return interval >= earliest && interval < latest
  }

  /// Parses a date and time.
  package static func date(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = Scanner(bytes: bytes)
    guard
      let day = scanner.day(),
      scanner.skip("T") || scanner.skip("t") || scanner.skip(" "),
      let hour = scanner.number(digits: 2), scanner.skip(":"), hour < 24,
      let minute = scanner.number(digits: 2), scanner.skip(":"), minute < 60,
      let second = scanner.number(digits: 2), second < 60,
      let fraction = scanner.fraction(),
      let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSinceReferenceDate: fraction.interval(after: seconds))
  }

  /// Returns the shortest text, in UTC, that is parsed as the same date. A
  /// fraction of a second has 3, 6, 9, 12, 15 or 18 digits. Within a hundredth of
  /// a second of 2001-01-01T00:00:00Z, dates have a finer resolution. These are
  /// rounded to 18 digits.
  ///
  /// Returns nil for dates outside the years 0 to 9999.
  package static func text(_ date: Date) -> String? {
    let interval = date.timeIntervalSinceReferenceDate
    let whole = interval.rounded(.down)
    guard whole >= earliest, whole < latest else { return nil }
    let seconds = Int(whole)
    if interval == whole { return text(seconds: seconds, fraction: "") }
    if let attoseconds = Attoseconds(interval) { return text(date, attoseconds) }
    var text = text(seconds: seconds, fraction: "")
    for (digits, scale) in [(3, 1e3), (6, 1e6), (9, 1e9), (12, 1e12), (15, 1e15)] {
      let units = ((interval - whole) * scale).rounded()
      guard units < scale else { continue }
      let number = String(Int(units))
      let fraction = "." + String(repeating: "0", count: digits - number.count) + number
      text = self.text(seconds: seconds, fraction: fraction)
      if self.date(text) == date { break }
    }
    return text
  }

  private static func text(_ date: Date, _ interval: Attoseconds) -> String {
    var text = ""
    for digits in stride(from: 3, through: 18, by: 3) {
      let (seconds, fraction) = interval.rounded(toDigits: digits)
      let number = String(fraction)
      text = self.text(
        seconds: seconds,
        fraction: "." + String(repeating: "0", count: digits - number.count) + number)
      if self.date(text) == date { break }
    }
    return text
  }

  /// The maximum number of bytes that ``write(_:to:)`` writes.
  package static let maximumLength = 39

  /// Writes the text of a date to memory of ``maximumLength`` bytes and returns
  /// its length, or nil for dates outside the years 0 to 9999.
  package static func write(_ date: Date, to bytes: UnsafeMutablePointer<UInt8>) -> Int? {
    let interval = date.timeIntervalSinceReferenceDate
    if interval >= earliest, interval < latest, interval == interval.rounded(.down) {
      write(seconds: Int(interval), to: bytes)
      bytes[19] = UInt8(ascii: "Z")
      return 20
    }
    guard let text = text(date) else { return nil }
    var length = 0
    for byte in text.utf8 {
      bytes[length] = byte
      length += 1
    }
    return length
  }

  private static func text(seconds: Int, fraction: String) -> String {
    String(unsafeUninitializedCapacity: 19) { bytes in
      // SAFETY: The buffer has the requested 19 bytes.
      if let start = bytes.baseAddress { write(seconds: seconds, to: start) }
      return 19
    } + fraction + "Z"
  }

  /// Writes the 19 bytes of a date and time.
  private static func write(seconds: Int, to bytes: UnsafeMutablePointer<UInt8>) {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - days * 86_400
    let (year, month, day) = calendarDate(dayNumber: days)
    func write(_ number: Int, at position: Int, after separator: Unicode.Scalar? = nil) {
      if let separator { bytes[position - 1] = UInt8(ascii: separator) }
      bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10)
      bytes[position + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
    write(year / 100, at: 0)
    write(year % 100, at: 2)
    write(month, at: 5, after: "-")
    write(day, at: 8, after: "-")
    write(rest / 3600, at: 11, after: "T")
    write(rest / 60 % 60, at: 14, after: ":")
    write(rest % 60, at: 17, after: ":")
  }

  /// 0000-01-01T00:00:00Z and 10000-01-01T00:00:00Z in seconds since 2001.
  private static let earliest = Double(dayNumber(year: 0, month: 1, day: 1) * 86_400)
  private static let latest = Double(dayNumber(year: 10_000, month: 1, day: 1) * 86_400)

  fileprivate static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The number of days since 2001-01-01. Years are counted from March, so that
  /// leap days come last.
  fileprivate static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  private static func calendarDate(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let days = dayNumber + 730_791
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

private struct Scanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int? {
    guard position < bytes.count else { return nil }
    let value = bytes[position] &- UInt8(ascii: "0")
    guard value < 10 else { return nil }
    position += 1
    return Int(value)
  }

  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Parses a calendar date and returns the number of days since 2001-01-01.
  mutating func day() -> Int? {
    guard
      let year = number(digits: 4), skip("-"),
      let month = number(digits: 2), skip("-"), 1...12 ~= month,
      let day = number(digits: 2), 1...ISO8601.daysInMonth(month, year: year) ~= day
    else { return nil }
    return ISO8601.dayNumber(year: year, month: month, day: day)
  }

  /// Parses an optional fraction of a second. Digits after the 18th are
  /// ignored.
  mutating func fraction() -> SecondFraction? {
    guard skip(".") || skip(",") else { return SecondFraction() }
    guard let first = digit() else { return nil }
    var fraction = SecondFraction(digit: first)
    while let digit = digit() { fraction.append(digit) }
    return fraction
  }

  /// Parses the offset from UTC and returns it in seconds.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let sign: Int
    if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), hours < 24 else { return nil }
    _ = skip(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
