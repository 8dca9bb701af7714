import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Nesting and relating models", compiled and run.
@Suite struct NestingAndRelatingModelsTests: ArticleTests {
  let article = Article("Sources/MohoMapping/MohoMapping.docc/NestingAndRelatingModels.md")
  let transcript = Transcript()

  // snippet
  struct Chapter: MappedModel {
    var title: String
    var span: Span
    var links: [String: URL]

    static let mapping = Mapping(
      "Chapter", Chapter.init,
      .key("title", \.title), .inlined("span", \.span), .key("links", \.links))
  }

  struct Span: MappedModel {
    var start: Double
    var length: Double?

    static let mapping = Mapping(
      "Span", Span.init, .key("start", \.start), .key("length", \.length))
  }
  // end

  // snippet
  struct Status: MappedModel {
    var id: Int
    @Indirect var boost: Status?

    static let mapping = Mapping(
      "Status", Status.init,
      .key("id", \.id, .unique), .key("boost", \.boost, json: "reblog"))
  }
  // end

  // snippet
  struct Podcast: MappedModel {
    var guid: String
    var title: String
    var items: [Item]

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("guid", \.guid, .unique), .key("title", \.title),
      .toMany(
        "items", \.items, inverse: "podcast", onDelete: .cascade,
        linkPolicy: .replace(removed: .delete)))
  }

  struct Item: MappedModel {
    var id: Int
    var podcast: ModelReference<Podcast>?
    var tags: Set<Tag>

    static let mapping = Mapping(
      "Item", Item.init,
      .key("id", \.id, .unique), .toOne("podcast", \.podcast, inverse: "items"),
      .toMany("tags", \.tags))
  }

  struct Tag: MappedModel, Hashable {
    var name: String

    static let mapping = Mapping("Tag", Tag.init, .key("name", \.name, .unique))
  }
  // end

  // snippet
  enum Segment: MappedModel {
    case chapter(Chapter)
    case advert
    case other(String, JSONValue)

    static let mapping = Mapping<Segment>(
      "Segment", discriminator: "kind",
      .variant("chapter", Segment.chapter) {
        if case .chapter(let chapter) = $0 { chapter } else { nil }
      },
      .variant("advert", .advert) {
        if case .advert = $0 { true } else { false }
      },
      .unknown(Segment.other) {
        if case .other(let kind, let content) = $0 { (kind, content) } else { nil }
      })
  }
  // end

  @Test func nestedModels() throws {
    // snippet
    let json = #"{"title": "Magma", "start": 30, "links": {"map": "https://example.org/map"}}"#
    let chapter = try JSONAdapter<Chapter>().model(from: Data(json.utf8))
    print(chapter.span.start, chapter.links["map"]?.host() ?? "")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func modelsThatContainThemselves() throws {
    // snippet
    let json = #"{"id": 8, "reblog": {"id": 7}}"#
    let status = try JSONAdapter<Status>().model(from: Data(json.utf8))
    print(status.boost?.id ?? 0)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func relations() throws {
    // snippet
    let json = """
      {"guid": "a", "title": "Deep Time", "items": [{"id": 7, "podcast": "a", "tags": []}]}
      """
    let podcast = try JSONAdapter<Podcast>().model(from: Data(json.utf8))
    print(podcast.items[0].podcast == (try ModelReference(to: podcast)))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func clusters() throws {
    // snippet
    let json = #"[{"kind": "advert"}, {"kind": "quiz", "answers": 3}]"#
    for segment in try JSONAdapter<Segment>().models(from: Data(json.utf8)) { print(segment) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func aClusterIsStoredInOneTable() throws {
    let store = try ModelStore(inMemory: Segment.self)

    try store.write { try $0.save([Segment.other("quiz", ["answers": 3]), .advert]) }

    let segments = try store.fetch(ModelRequest<Segment>())
    #expect(segments.map { "\($0)" } == ["other(\"quiz\", {\"answers\":3})", "advert"])
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
