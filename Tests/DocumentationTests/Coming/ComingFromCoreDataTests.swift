import CommandTesting
import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Coming from Core Data", compiled and run.
@Suite struct ComingFromCoreDataTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromCoreData.md")
  let transcript = Transcript()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("episodes.sqlite") }

  // snippet
  struct Podcast: MappedModel, Equatable {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Podcast", Podcast.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int
    var podcast: Podcast?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("season", \.season),
      .toOne("podcast", \.podcast))
  }
  // end

  @Test func theCalls() async throws {
    // snippet
    let store = try ModelStore(path: path, models: Episode.self)
    // end

    // snippet
    let context = EditingContext(store)
    let episode = try context.insert(Episode.self)
    episode.id = 7
    episode.title = "Basalt"
    episode.season = 4
    try context.save()
    // end

    // snippet
    let request = ModelRequest<Episode>()
      .filter { $0.title.contains("bas", [.caseInsensitive, .diacriticInsensitive]) }
      .filter { $0.podcast.title == "Deep Time" || $0.podcast == nil }
      .order(by: \.title)
      .limit(20)
    let rows = try context.fetch(request)
    let models = try await store.fetch(request)
    // end
    #expect(rows == [episode])
    #expect(models == [Episode(id: 7, title: "Basalt", season: 4, podcast: nil)])

    // snippet
    let list = ModelRequest<Episode>().order(by: \.season).order(by: \.title)
    let controller = try await ResultsController(list, in: store, sectionedBy: \.season)
    let updates = controller.updates
    try await store.write { try $0.save(Episode(id: 8, title: "Ash", season: 4, podcast: nil)) }
    for try await update in updates.prefix(1) { print(update.changes) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let saved = try await store.perform { context in
      for row in try context.fetch("Episode") { try row.set("season", to: 5) }
      try context.save()
      return try context.fetch("Episode").count
    }
    // end
    #expect(saved == 2)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
