import Foundation
import MohoJSON
import MohoMapping
import Testing

private enum Kind: String, CaseIterable, FieldValue { case free, paid }

private struct Release: MappedModel, Equatable {
  var id: String
  var count: Int
  var price: Decimal
  var isPaid: Bool
  var day: Date
  var releasedAt: Date?
  var seenAt: Date
  var kind: OpenEnum<Kind>
  var links: [URL?]
  var scores: [String: Int]?

  static let mapping = Mapping(
    "Release", Release.init,
    .key("id", \.id, .stringOrInteger, .unique),
    .key("count", \.count, .numberOrString, default: 1),
    .key("price", \.price, json: "cost.price", .numberInString),
    .key("isPaid", \.isPaid, .booleanAsNumber),
    .key("day", \.day, .iso8601Date),
    .key("releasedAt", \.releasedAt, .format("MMMM d, yyyy", locale: Locale(identifier: "en_US"))),
    .key("seenAt", \.seenAt, .dates(.iso8601, .iso8601Date, .format("dd.MM.yyyy"), .epochSeconds)),
    .key("kind", \.kind),
    .key("links", \.links, Transform<URL>.standard.optional.array),
    .key("scores", \.scores, Transform<Int>.numberInString.dictionary))
}

@Suite struct TransformTests {
  private let adapter = JSONAdapter<Release>()

  private func text(
    id: String = "7", count: String = "2", price: String = #""19.99""#, isPaid: String = "1",
    day: String = #""2015-09-25""#, releasedAt: String = #""September 25, 2015""#,
    seenAt: String = #""2015-09-25T10:00:00Z""#, kind: String = #""gift""#,
    links: String = #"["http://a.example/",null]"#, scores: String = #"{"a":"1"}"#
  ) -> String {
    #"{"id":\#(id),"count":\#(count),"cost":{"price":\#(price)},"isPaid":\#(isPaid),"#
      + #""day":\#(day),"releasedAt":\#(releasedAt),"seenAt":\#(seenAt),"kind":\#(kind),"#
      + #""links":\#(links),"scores":\#(scores)}"#
  }

  private func read(_ text: String) throws -> Release {
    try adapter.model(from: Data(text.utf8))
  }

  @Test func everyFormIsReadAndWritten() throws {
    let release = try read(text())

    #expect(release.id == "7")
    #expect(release.price == Decimal(string: "19.99"))
    #expect(release.isPaid)
    #expect(release.day == ISO8601.date("2015-09-25T00:00:00Z"))
    #expect(release.releasedAt == release.day)
    #expect(release.kind == .unknown("gift"))
    #expect(release.links == [URL(string: "http://a.example/"), nil])
    #expect(release.scores == ["a": 1])
    #expect(try adapter.data(from: release).text == text(id: #""7""#))
  }

  @Test func otherFormsAreReadWhereDeclared() throws {
    let release = try read(text(id: #""x""#, count: #""2""#, releasedAt: "null", scores: "null"))

    #expect(release.id == "x")
    #expect(release.count == 2)
    #expect(release.releasedAt == nil)
    #expect(release.scores == nil)
  }

  @Test(arguments: [
    #""2015-09-25T00:00:00Z""#, #""2015-09-25""#, #""25.09.2015""#, "1443139200", "1443139200.0",
  ])
  func anyOfTheDateFormatsIsRead(seenAt: String) throws {
    let release = try read(text(seenAt: seenAt))

    #expect(release.seenAt == release.day)
    #expect(
      try adapter.data(from: release).text
        == text(id: #""7""#, seenAt: #""2015-09-25T00:00:00Z""#))
  }

  @Test func errorsNameTheFormsAndTheirPaths() {
    let text = text(
      id: "0.5", count: #""x""#, price: "19.99", isPaid: "true", day: #""2015-09-25T00:00:00Z""#,
      releasedAt: #""September 37, 2015""#, seenAt: "true", kind: "1", links: #"["",1]"#,
      scores: #"{"a":"one"}"#)

    #expect(
      messages { _ = try read(text) } == [
        "invalid type: number 0.5, expected string or integer - `Release.id` at /id",
        #"invalid value: string "x", expected integer or integer from -9223372036854775808"#
          + " to 9223372036854775807 in a string - `Release.count` at /count",
        "invalid type: number 19.99, expected string - `Release.price` at /cost/price",
        "invalid type: true, expected integer - `Release.isPaid` at /isPaid",
        #"invalid value: string "2015-09-25T00:00:00Z", expected ISO 8601 date - `Release.day`"#
          + " at /day",
        #"invalid value: string "September 37, 2015", expected date like `MMMM d, yyyy`"#
          + " - `Release.releasedAt` at /releasedAt",
        "invalid type: true, expected ISO 8601 date and time or ISO 8601 date or date like"
          + " `dd.MM.yyyy` or seconds since 1970 - `Release.seenAt` at /seenAt",
        "invalid type: number 1, expected string - `Release.kind` at /kind",
        #"invalid value: string "", expected URL - `Release.links` at /links/0"#,
        "invalid type: number 1, expected string - `Release.links` at /links/1",
        #"invalid value: string "one", expected integer from -9223372036854775808 to"#
          + " 9223372036854775807 in a string - `Release.scores` at /scores/a",
      ])
  }

  @Test func encodingErrorsNameTheirPaths() throws {
    var release = try read(text())
    release.price = .nan
    #expect(
      messages { _ = try adapter.data(from: [release]) } == [
        "invalid value: NaN, expected finite number - `Release.price` at /0/cost/price"
      ])

    release.price = 1
    release.day = Date(timeIntervalSinceReferenceDate: 1e12)
    #expect(
      messages { _ = try adapter.data(from: release) } == [
        "invalid value: date 1000000000000.0 seconds from 2001,"
          + " expected date in the years 0 to 9999 - `Release.day` at /day"
      ])
  }

  @Test func patternsRefuseDatesOutsideTheCalendar() throws {
    var release = try read(text())
    release.releasedAt = Date(timeIntervalSinceReferenceDate: .infinity)

    #expect(
      messages { _ = try adapter.data(from: release) } == [
        "invalid value: date inf seconds from 2001,"
          + " expected date in the years 0 to 9999 - `Release.releasedAt` at /releasedAt"
      ])
  }

  @Test func nullElementsAreWrittenAsNull() throws {
    var release = try read(text(links: "[null]"))
    release.links.append(nil)

    #expect(try adapter.data(from: release).text.contains(#""links":[null,null]"#))
  }
}
