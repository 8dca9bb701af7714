import Foundation
import MohoMapping
import MohoTesting
import Testing

@Suite struct ISO8601Tests {
  @Test(
    arguments: [
      ("2001-01-01T00:00:00Z", 0),
      ("1970-01-01T00:00:00Z", -978_307_200),
      ("2016-11-22T18:53:35Z", 501_533_615),
      ("2016-11-22T14:53:35-0400", 501_533_615),
      ("2016-11-22T14:53:35-04:00", 501_533_615),
      ("2016-11-22 18:53:35+00:00", 501_533_615),
      ("2016-11-22T18:53:35.500Z", 501_533_615.5),
      ("2016-11-22T18:53:35,25Z", 501_533_615.25),
      ("2000-02-29T23:59:59Z", -26_438_401),
    ] as [(String, Double)])
  func commonFormsOfDatesAreRead(text: String, interval: Double) {
    #expect(ISO8601.date(text) == Date(timeIntervalSinceReferenceDate: interval))
  }

  @Test(arguments: [
    "", "2016", "2016-11-22", "2016-11-22T18:53:35", "2016-11-22T18:53Z", "2016-13-01T00:00:00Z",
    "2016-00-01T00:00:00Z", "2015-02-29T00:00:00Z", "2016-11-31T00:00:00Z", "2016-11-22T24:00:00Z",
    "2016-11-22T18:60:00Z", "2016-11-22T18:53:60Z", "2016-11-22T18:53:35.Z",
    "2016-11-22T18:53:35Zjunk", "2016-11-22T18:53:35+24:00", "2016-11-22T18:53:35+0",
    " 2016-11-22T18:53:35Z", "２016-11-22T18:53:35Z",
  ])
  func anInvalidDateIsNotParsed(text: String) {
    #expect(ISO8601.date(text) == nil)
  }

  @Test func everyDayOfFourCenturiesAgreesWithFoundation() throws {
    let style = Date.ISO8601FormatStyle()
    for day in stride(from: -146_097 / 2, through: 146_097 / 2, by: 13) {
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400 + 45_296)
      let text = try #require(ISO8601.text(date))
      #expect(text == date.formatted(style))
      #expect(ISO8601.date(text) == date)
    }
  }

  @Test func everyDateRoundTrips() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let interval = Double.random(in: -3e9...3e9, using: &random)
      let date = Date(timeIntervalSinceReferenceDate: interval)
      let text = try #require(ISO8601.text(date))
      #expect(ISO8601.date(text) == date, "seed \(seed): \(interval) as \(text)")
    }
  }

  /// Doubles near 0 have more digits than others.
  @Test(
    arguments: [
      (0.7, "2001-01-01T00:00:00.700Z"), (0.1 + 0.6, "2001-01-01T00:00:00.700Z"),
      (0.7000000000000001, "2001-01-01T00:00:00.700000000000000067Z"),
      (-0.3, "2000-12-31T23:59:59.700Z"),
      (-0.30000000000000004, "2000-12-31T23:59:59.699999999999999956Z"),
      (7.999999999999999, "2001-01-01T00:00:07.999999999999999Z"),
      (-7.999999999999999, "2000-12-31T23:59:52.000000000000001Z"), (-8, "2000-12-31T23:59:52Z"),
      (0.0078125000000000017, "2001-01-01T00:00:00.007812500000000002Z"),
      (1e-18, "2001-01-01T00:00:00.000000000000000001Z"),
    ])
  func datesNearTheReferenceDateHaveUpTo18Digits(interval: Double, expected: String) {
    let date = Date(timeIntervalSinceReferenceDate: interval)

    #expect(ISO8601.text(date) == expected)
    #expect(ISO8601.date(expected) == date)
  }

  @Test func finerDatesAreRounded() throws {
    for interval in [1e-19, -1e-19, .leastNonzeroMagnitude, 0.001 + 1e-18, -1e-300] {
      let date = Date(timeIntervalSinceReferenceDate: interval)
      let text = try #require(ISO8601.text(date))
      let read = try #require(ISO8601.date(text))
      #expect(abs(read.timeIntervalSinceReferenceDate - interval) < 1e-18)
      let again = try #require(ISO8601.text(read))
      #expect(ISO8601.date(again) == read)
    }
  }

  @Test(arguments: [0.01, 0.1, 1, 4, 8, 16, 100, 1e4])
  func everyDateNearTheReferenceDateRoundTrips(limit: Double) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let magnitude = Double.random(in: max(limit / 10, 0.0078125)...limit, using: &random)
      for interval in [magnitude, -magnitude, magnitude.nextUp, (magnitude * 1e3).rounded() / 1e3] {
        let date = Date(timeIntervalSinceReferenceDate: interval)
        let text = try #require(ISO8601.text(date))
        #expect(ISO8601.date(text) == date, "seed \(seed): \(interval) as \(text)")
      }
    }
  }

  /// The text of a date is read as the double nearest to it.
  @Test func textsNearTheReferenceDateAreRoundedOnce() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let nanoseconds = Int.random(in: -8_000_000_000..<8_000_000_000, using: &random)
      // Counted from 8 seconds before the reference date.
      let (second, fraction) =
        (nanoseconds + 8_000_000_000).quotientAndRemainder(dividingBy: 1_000_000_000)
      let digits = "\(1_000_000_000 + fraction)".dropFirst()
      let text =
        second < 8
        ? "2000-12-31T23:59:\(52 + second).\(digits)Z"
        : "2001-01-01T00:00:0\(second - 8).\(digits)Z"
      let expected = try #require(Double("\(nanoseconds)e-9"))

      let date = ISO8601.date(text)

      #expect(date?.timeIntervalSinceReferenceDate == expected, "seed \(seed): \(text)")
    }
  }

  @Test func datesOutsideFourDigitYearsCannotBeFormatted() {
    #expect(ISO8601.text(.distantPast) == "0000-12-30T00:00:00Z")
    #expect(ISO8601.text(Date(timeIntervalSinceReferenceDate: 1e12)) == nil)
    #expect(ISO8601.text(Date(timeIntervalSinceReferenceDate: .infinity)) == nil)
    #expect(ISO8601.text(Date(timeIntervalSinceReferenceDate: .nan)) == nil)
  }
}

@Suite struct ISO8601DayTests {
  @Test(arguments: ["2001-01-01", "2016-02-29", "0000-01-01", "9999-12-31"])
  func aDayIsReadAsItsFirstMoment(text: String) throws {
    let date = try #require(ISO8601.day(text))

    #expect(date == ISO8601.date(text + "T00:00:00Z"))
    #expect(ISO8601.dayText(date) == text)
    #expect(ISO8601.dayText(date + 86_399.5) == text)
  }

  @Test(arguments: [
    "", "2015-09", "2015-9-25", "2015-09-25T00:00:00Z", "2015-02-29", "2015-13-01", "2015-00-01",
    "20150925", " 2015-09-25", "2015-09-25 ", "2015-09-31",
  ])
  func anInvalidDayIsNotParsed(text: String) { #expect(ISO8601.day(text) == nil) }

  @Test func datesOutsideTheCalendarHaveNoDay() {
    for interval in [Double.infinity, .nan, 1e300, -1e12] {
      #expect(ISO8601.dayText(Date(timeIntervalSinceReferenceDate: interval)) == nil)
    }
  }

  @Test(arguments: [
    (
      "2026-11-20T08:00:00",
      "ISO 8601 date and time with a time zone, such as `Z` or `+01:00`"
    ),
    ("2026-11-20 08:00:00.5", "ISO 8601 date and time with a time zone, such as `Z` or `+01:00`"),
    ("2026-11-20", "ISO 8601 date and time"), ("2026-13-20T08:00:00", "ISO 8601 date and time"),
    ("", "ISO 8601 date and time"),
  ])
  func aMissingTimeZoneIsNamed(text: String, expectation: String) {
    #expect(DateFormat.iso8601.expectation(for: text) == expectation)
    #expect(
      DateFormat.oneOf([.iso8601Date, .iso8601]).expectation(for: text)
        == "ISO 8601 date or \(expectation)")
  }
}
