import DocumentationTesting
import Foundation
import Moho
import MohoTesting
import Testing

/// The code of the article "Transforming values", compiled and run.
@Suite struct TransformingValuesTests: ArticleTests {
  let article = Article("Sources/MohoMapping/MohoMapping.docc/TransformingValues.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var publishedAt: Date
    var recordedAt: Date?
    var price: Decimal
    var isFree: Bool
    var length: Duration

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .numberOrString, .unique),
      .key("publishedAt", \.publishedAt, .dates(.iso8601, .iso8601Date, .epochSeconds)),
      .key("recordedAt", \.recordedAt, .format("MMMM d, yyyy")),
      .key("price", \.price, .numberInString),
      .key("isFree", \.isFree, .booleanAsNumber),
      .key("length", \.length, .seconds))
  }
  // end

  // snippet
  enum Kind: String, CaseIterable, FieldValue { case full, trailer, bonus }
  enum Access { case everybody, subscribers }

  struct Season: MappedModel {
    var kind: Kind
    var mood: OpenEnum<Kind>
    var next: Kind
    var access: Access

    static let mapping = Mapping(
      "Season", Season.init,
      .key("kind", \.kind),
      .key("mood", \.mood),
      .key("next", \.next, .rawValue(unknown: .bonus)),
      .key(
        "access", \.access,
        Transform<Access>.table(["free": .everybody, "paid": .subscribers])))
  }
  // end

  // snippet
  struct Feed: MappedModel {
    var ids: [Int]
    var days: [Date?]
    var prices: [String: Decimal]
    var kinds: LossyArray<Kind>

    static let mapping = Mapping(
      "Feed", Feed.init,
      .key("ids", \.ids, Transform.numberOrString.array),
      .key("days", \.days, Transform.iso8601Date.optional.array),
      .key("prices", \.prices, Transform.numberInString.dictionary),
      .key("kinds", \.kinds))
  }
  // end

  @Test func standardTransforms() throws {
    // snippet
    let json = """
      {"id": "7", "publishedAt": "2026-11-20", "recordedAt": "November 2, 2026",
       "price": "0.99", "isFree": 0, "length": 1800}
      """
    let adapter = JSONAdapter<Episode>()
    let episode = try adapter.model(from: Data(json.utf8))
    print(try adapter.text(from: episode, formatting: .pretty))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func enums() throws {
    // snippet
    let adapter = JSONAdapter<Season>()
    let json = #"{"kind": "full", "mood": "quiz", "next": "quiz", "access": "free"}"#
    let season = try adapter.model(from: Data(json.utf8))
    print(season.mood.value as Any, season.next)
    print(try adapter.text(from: season))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    do {
      let wrong = #"{"kind": "quiz", "mood": "full", "next": 5, "access": "gift"}"#
      _ = try adapter.model(from: Data(wrong.utf8))
    } catch let error as MappingError {
      for error in error.errors { print(error) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func composition() throws {
    // snippet
    let json = """
      {"ids": [1, "2"], "days": ["2026-11-20", null], "prices": {"EUR": "0.99"},
       "kinds": ["full", "quiz"]}
      """
    let feed = try JSONAdapter<Feed>().model(from: Data(json.utf8))
    print(feed.ids, feed.days.count, feed.prices["EUR"] ?? 0, feed.kinds.elements.map(\.rawValue))
    for error in feed.kinds.dropped { print(error) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func customTransformsSatisfyTheLaws() {
    // snippet
    let samples = [
      Episode(
        id: 7, publishedAt: .now, recordedAt: nil, price: 1, isFree: true, length: .seconds(90))
    ]
    #expect(MappingLaws.violations(of: Episode.self, samples: samples) == [])
    // end
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}

// snippet
extension Transform where Value == Duration {
  static let seconds: Transform<Duration> = Transform<Int64>.standard.map(
    expected: "seconds that are not negative",
    to: { $0 < 0 ? nil : .seconds($0) }, from: { $0.components.seconds })
}
// end
