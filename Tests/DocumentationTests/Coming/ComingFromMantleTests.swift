import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Coming from Mantle", compiled and run.
@Suite struct ComingFromMantleTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromMantle.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel, Equatable {
    enum Kind: String, CaseIterable, FieldValue { case free, paid }

    var number: Int
    var title: String
    var summary: String?
    var kind: Kind
    var thumbnail: URL?
    var publishedAt: Date
    var playCount = 0

    static let mapping = Mapping<Episode>(
      "Episode", Episode.init,
      .key("number", \.number, json: "episode_number", .unique),
      .key("title", \.title),
      .key("summary", \.summary, json: "description"),
      .key("kind", \.kind, json: "episode_type"),
      .key("thumbnail", \.thumbnail, json: "thumbnail_url"),
      .key("publishedAt", \.publishedAt, json: "published_at"),
      .key("playCount", \.playCount, default: 0, .storeOnly)
    )
    .validating(\.title, "text that is not empty") { !$0.isEmpty }
    .merging(\.playCount, .stored)
  }
  // end

  @Test func theCalls() throws {
    // snippet
    let json = Data(
      """
      [{"episode": {"episode_number": 115, "title": "Fetched Results", "episode_type": "free",
        "published_at": "2014-04-18T00:00:00Z"}}]
      """.utf8)
    let adapter = JSONAdapter<Episode>(envelope: "episode")
    let episodes = try adapter.models(from: json)
    let text = try adapter.data(from: episodes[0], nullPolicy: .null)
    // end
    #expect(episodes.map(\.number) == [115])
    #expect(String(decoding: text, as: UTF8.self).contains(#""thumbnail_url":null"#))

    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    let context = EditingContext(store)
    let row = try ManagedRowAdapter<Episode>().row(from: episodes[0], in: context)
    try context.save()
    let same = try ManagedRowAdapter<Episode>().model(from: row)
    // end
    #expect(same == episodes[0])

    // snippet
    try store.write { try $0.save(episodes) }
    let all = try store.fetch(ModelRequest<Episode>())
    // end
    #expect(all == episodes)
  }

  @Test func mistakes() throws {
    // snippet
    let feed = #"[{"episode": {"episode_number": "115", "title": "", "episode_type": "series"}}]"#
    do {
      _ = try JSONAdapter<Episode>(envelope: "episode").models(from: Data(feed.utf8))
    } catch let error as MappingError {
      for error in error.errors { print(error) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }

  @Test func everyFeatureOfMantleHasACounterpart() throws {
    let rows = try article.tableRows.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(rows.count > 70)
    for row in rows {
      #expect(row.count == 4)
      #expect(row.dropFirst().dropLast().allSatisfy { !$0.isEmpty }, "\(row)")
    }
  }
}
