import CommandTesting
import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Coming from SwiftData", compiled and run.
@Suite(.timeLimit(.minutes(20))) struct ComingFromSwiftDataTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromSwiftData.md")
  let transcript = Transcript()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("episodes.sqlite") }

  // snippet
  struct Podcast: MappedModel, Equatable {
    var id: Int
    var title: String
    var episodes: [Episode] = []

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toMany("episodes", \.episodes, inverse: "podcast", onDelete: .cascade))
  }

  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int
    var podcast: ModelReference<Podcast>?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("season", \.season),
      .toOne("podcast", \.podcast, inverse: "episodes"))
  }
  // end

  private struct OldEpisode: MappedModel {
    var id: Int
    var name: String
    var season: Int

    static let mapping = Mapping(
      "Episode", OldEpisode.init,
      .key("id", \.id, .unique), .key("name", \.name), .key("season", \.season))
  }

  private func makeStore() throws -> ModelStore {
    // snippet
    let store = try ModelStore(path: path, models: Podcast.self)
    // end

    // snippet
    try store.write { writer in
      try writer.save(
        Podcast(
          id: 1, title: "Deep Time",
          episodes: [
            Episode(id: 7, title: "Basalt", season: 4), Episode(id: 8, title: "Ash", season: 4),
          ]))
    }
    // end
    return store
  }

  @Test func saving() throws {
    let store = try makeStore()
    // snippet
    if var ash = try store.fetchFirst(ModelRequest<Episode>().filter { $0.id == 8 }) {
      ash.title = "Volcanic ash"
      try store.write { try $0.save(ash) }
    }
    // end
    #expect(
      try store.fetch(ModelRequest<Episode>()).map(\.title).sorted() == ["Basalt", "Volcanic ash"])

    // snippet
    try store.write { try $0.delete(ModelRequest<Podcast>().filter { $0.id == 1 }) }
    // end
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 0)
  }

  @Test func fetching() throws {
    let store = try makeStore()
    // snippet
    let request = ModelRequest<Episode>()
      .filter { $0.season == 4 }
      .filter { $0.title.contains("bas", [.caseInsensitive, .diacriticInsensitive]) }
      .order(by: \.title)
      .limit(20)
    let episodes = try store.fetch(request)
    let count = try store.fetchCount(request)
    // end
    #expect(episodes.map(\.id) == [7])
    #expect(count == 1)

    // snippet
    let podcasts = ModelRequest<Podcast>()
      .filter { $0.episodes.any { $0.season == 4 } }
      .order(.descending) { $0.episodes.count }
    for podcast in try store.fetch(podcasts) {
      print(podcast.title, podcast.episodes.map(\.title))
    }
    let deep = ModelRequest<Episode>().filter { $0.podcast.title == "Deep Time" }
    print(try store.fetchCount(deep), "episodes")
    // end
    try article.expectOutput(of: transcript)
  }

  // snippet
  @MainActor func open(_ store: ModelStore) async throws -> ObservableResults<Episode> {
    let request = ModelRequest<Episode>().order(by: \.season).order(by: \.title)
    return ObservableResults(
      try await ResultsController(request, in: store, sectionedBy: \.season))
  }
  // end

  @Test @MainActor func observing() async throws {
    let store = try makeStore()
    let episodes = try await open(store)
    try rename(8, to: "Zircon", in: store)
    while episodes.snapshot[RowPath(section: 0, row: 1)]?.title != "Zircon" { await Task.yield() }

    #expect(episodes.snapshot.sections.map(\.name) == ["4"])
    #expect(episodes.snapshot.rows().map { $0.model?.title } == ["Basalt", "Zircon"])
  }

  private func makeUpdates(of store: ModelStore) throws -> ResultsUpdates<Episode> {
    // snippet
    let list = ModelRequest<Episode>().order(by: \.title)
    let updates = try ResultsController(list, in: store).updates
    try store.write { writer in
      try writer.save(
        Episode(id: 8, title: "Zircon", season: 4, podcast: ModelReference(key: 1)))
    }
    // end
    return updates
  }

  @Test func changes() async throws {
    let updates = try makeUpdates(of: makeStore())
    // snippet
    for try await update in updates.prefix(1) { print(update.changes) }
    // end
    try article.expectOutput(of: transcript)
  }

  private func rename(_ id: Int, to title: String, in store: ModelStore) throws {
    try store.write { try $0.save(Episode(id: id, title: title, season: 4)) }
  }

  @Test func migrating() throws {
    let old = try ModelStore(path: path, models: OldEpisode.self)
    try old.write { try $0.save(OldEpisode(id: 7, name: "Basalt", season: 3)) }
    // snippet
    let configuration = StoreConfiguration(
      migrations: [
        Migration("count seasons from 1") { steps in
          steps.sql("UPDATE Episode SET season = season + 1")
        }
      ],
      renamings: [Renaming(\Episode.title, from: "name")])
    let store = try ModelStore(path: path, models: Podcast.self, configuration: configuration)
    // end
    #expect(
      try store.fetch(ModelRequest<Episode>()) == [Episode(id: 7, title: "Basalt", season: 4)])
  }

  @Test func contexts() async throws {
    let store = try makeStore()
    // snippet
    let count = try await store.perform { context in
      let episodes = try context.fetch(ModelRequest<Episode>().filter { $0.season == 4 })
      for episode in episodes { episode.season = 5 }
      try context.save()
      return episodes.count
    }
    // end
    #expect(count == 2)
  }

  @Test func editing() throws {
    let store = try makeStore()
    // snippet
    let context = EditingContext(store)
    for episode in try context.fetch(ModelRequest<Episode>().filter { $0.id == 7 }) {
      episode.title = "Tuff"
      context.undo()
      print(try episode.title, context.hasChanges)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
