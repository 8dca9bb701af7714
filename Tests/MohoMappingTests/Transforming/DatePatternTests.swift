import Foundation
import MohoMapping
import Testing

@Suite struct DatePatternTests {
  private func losAngeles(_ pattern: String) throws -> DatePattern {
    DatePattern(
      pattern, locale: Locale(identifier: "en_US"),
      timeZone: try #require(TimeZone(identifier: "America/Los_Angeles")))
  }

  @Test func datesAreReadAndWrittenWithAPattern() throws {
    let pattern = try losAngeles("MMMM d, yyyy")
    let date = Date(timeIntervalSince1970: 1_443_164_400)

    #expect(pattern.date("September 25, 2015") == date)
    #expect(pattern.text(date) == "September 25, 2015")
    #expect(pattern.text(date + 86_399) == "September 25, 2015")
  }

  @Test(arguments: [
    "September 37, 2015", "February 29, 2015", "Septober 25, 2015", "September 25", "",
    "September 25, 2015x", " September 25, 2015", "September 25, 2015 ", "2015-09-25",
  ])
  func aStringThatDoesNotMatchThePatternIsAnError(text: String) throws {
    #expect(try losAngeles("MMMM d, yyyy").date(text) == nil)
  }

  @Test func componentsMissingFromThePatternHaveDefaults() {
    #expect(DatePattern("HH:mm").date("09:30") == ISO8601.date("2000-01-01T09:30:00Z"))
    #expect(DatePattern("yyyy").date("2015") == ISO8601.date("2015-01-01T00:00:00Z"))
    #expect(DatePattern("dd.MM.yy").date("01.02.49") == ISO8601.date("2049-02-01T00:00:00Z"))
    #expect(DatePattern("dd.MM.yy").date("01.02.50") == ISO8601.date("1950-02-01T00:00:00Z"))
  }

  @Test func namesFollowTheLocale() throws {
    let pattern = DatePattern("d. MMMM yyyy", locale: Locale(identifier: "de_DE"))
    let date = try #require(ISO8601.date("2015-03-25T00:00:00Z"))

    #expect(pattern.text(date) == "25. März 2015")
    #expect(pattern.date("25. März 2015") == date)
    #expect(pattern.date("25. March 2015") == nil)
  }

  @Test func datesOutsideTheCalendarHaveNoText() {
    for interval in [Double.infinity, -.infinity, .nan, 1e300, -1e12] {
      #expect(DatePattern("yyyy").text(Date(timeIntervalSinceReferenceDate: interval)) == nil)
    }
  }

  @Test func patternsAreEqualByTheirParameters() {
    #expect(DatePattern("yyyy") == DatePattern("yyyy"))
    #expect(DatePattern("yyyy") != DatePattern("yy"))
    #expect(DatePattern("yyyy") != DatePattern("yyyy", locale: Locale(identifier: "de_DE")))
    #expect(Set([DateFormat.format("yyyy"), .format("yyyy"), .iso8601]).count == 2)
  }

  @Test func threadsCanShareAPattern() async {
    let pattern = DatePattern("yyyy-MM-dd")
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<50).allSatisfy { day in
            let date = Date(timeIntervalSince1970: Double((number * 50 + day) * 86_400))
            return pattern.text(date).flatMap(pattern.date) == date
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func anEmptyPatternIsAnIssue() {
    let issue = "`value`: the date pattern is empty"

    #expect(Transform<Date>.format("").issues == [issue])
    #expect(Transform<Date>.format("").optional.array.dictionary.issues == [issue])
    #expect(Transform<Date>.dates(.iso8601, .format("")).issues == [issue])
    #expect(Transform<Date>.iso8601.or(.format("")).issues == [issue])
    #expect(
      Transform<Date>.format("").map(to: { $0 }, from: { $0 }).refusal(nil)
        == "invalid mapping: `Form` - \(issue)")
    #expect(Transform<Date>.dates().issues == ["`value`: the list of date formats is empty"])
    #expect(DatePattern("").date("2015") == nil)
  }

  @Test func formatsWithADateTypeHoldDates() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1.5)

    for transform in [Transform<Date>.iso8601Date, .format("yyyy"), .dates(.iso8601, .iso8601Date)]
    {
      #expect(try transform.written(date) == .date(date))
      #expect(try transform.read(.date(date)) == date)
    }
  }

  @Test func secondsInStringsCanBeComposed() throws {
    let transform = Transform<Double>.numberInString.map(
      to: { Date(timeIntervalSince1970: $0) }, from: { $0.timeIntervalSince1970 })
    let date = Date(timeIntervalSince1970: 1_479_840_815.25)

    #expect(try transform.read(.string("1479840815.25")) == date)
    #expect(try transform.written(date) == .string("1479840815.25"))
    #expect(
      transform.refusal(.string("now"))
        == "invalid value: string \"now\", expected number in a string - `Form.value` at /0")
  }
}
