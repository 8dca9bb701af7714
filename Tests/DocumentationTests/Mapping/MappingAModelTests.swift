import DocumentationTesting
import Foundation
import Moho
import MohoTesting
import Testing

/// The code of the article "Mapping a model", compiled and run.
@Suite struct MappingAModelTests: ArticleTests {
  let article = Article("Sources/MohoMapping/MohoMapping.docc/MappingAModel.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel {
    let id: Int
    var title: String
    var summary: String?
    var publishedAt: Date
    var isExpanded = false

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique),
      .key("title", \.title),
      .key("summary", \.summary, json: "description"),
      .key("publishedAt", \.publishedAt, json: "published.at"),
      .transient(\.isExpanded, default: false))
  }
  // end

  // snippet
  struct Recording: MappedModel {
    var url: URL
    var sizeInBytes: Int?
    var speakers: [String]
    var license: String

    static let mapping = Mapping(
      "Recording", naming: .snakeCase, Recording.init,
      .key("url", \.url, json: "attachments[0].url", alternatives: ["audio.url", "enclosure"]),
      .key("sizeInBytes", \.sizeInBytes),
      .key("speakers", \.speakers, json: "people[*].name"),
      .key("license", \.license, json: #"rights.cc\.license"#, default: "unknown"))
  }
  // end

  // snippet
  struct Review: MappedModel {
    var author: String
    var stars: Int
    var text: String?
    var editedAt: Date

    static let mapping = Mapping<Review>(
      "Review", Review.init,
      .key("author", \.author), .key("stars", \.stars), .key("text", \.text),
      .key("editedAt", \.editedAt)
    )
    .repairing(\.author) { $0.isEmpty ? "anonymous" : $0 }
    .validating(\.stars, "1 to 5 stars") { (1...5).contains($0) }
    .validating("text where there are less than 3 stars") { $0.stars > 2 || $0.text != nil }
    .merging(\.text, .incomingUnlessNil)
    .merging(\.stars, newerBy: \.editedAt)
  }
  // end

  @Test func aDeclaration() throws {
    // snippet
    let adapter = JSONAdapter<Episode>()
    let json = #"{"id": 7, "title": "Basalt", "published": {"at": "2026-11-20T08:00:00Z"}}"#
    var episode = try adapter.model(from: Data(json.utf8))
    print(Episode.mapping.description(of: episode))
    episode.summary = "Cooled lava."
    print(try adapter.text(from: episode))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func paths() throws {
    // snippet
    let json = """
      {"enclosure": "a.mp3", "size_in_bytes": 500, "people": [{"name": "Ada"}, {"name": "Ben"}]}
      """
    let adapter = JSONAdapter<Recording>()
    let recording = try adapter.model(from: Data(json.utf8))
    print(recording.url, recording.speakers, recording.license)
    print(try adapter.text(from: recording, formatting: .pretty))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func rules() throws {
    // snippet
    let json = #"{"author": "", "stars": 9, "editedAt": "yesterday"}"#
    do {
      _ = try JSONAdapter<Review>().model(from: Data(json.utf8))
    } catch let error as MappingError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let stored = Review(author: "Ada", stars: 4, text: "Solid.", editedAt: .now)
    let incoming = Review(author: "Ada", stars: 2, text: nil, editedAt: .distantPast)
    print(Review.mapping.changedKeys(from: stored, to: incoming))
    let merged = Review.mapping.merge(incoming, into: stored)
    print(merged.stars, merged.text ?? "no text")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theSelfCheck() throws {
    // snippet
    struct Credit {
      var name: String
      var role: String
    }
    let swapped = Mapping<Credit>(
      "Credit", Credit.init,
      .key("role", \.role, json: "person.role"), .key("name", \.name, json: "person..name"))
    for issue in swapped.issues { print(issue) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    struct Author {
      var first: String
      var last: String
    }
    let repeated = Mapping<Author>(
      "Author", Author.init, .key("first", \.first), .key("last", \.first))
    for issue in repeated.issues { print(issue) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    #expect(MappingLaws.violations(of: Episode.self) == [])
    // end

    // snippet
    enum Weekday: String, FieldValue { case monday, tuesday }

    struct Schedule {
      var weekday: Weekday
      var opens: String
      var closes: String
    }
    let schedule = Mapping<Schedule>(
      "Schedule", Schedule.init,
      .key("weekday", \.weekday), .key("opens", \.opens), .key("closes", \.closes))
    for note in schedule.notes { print(note) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
