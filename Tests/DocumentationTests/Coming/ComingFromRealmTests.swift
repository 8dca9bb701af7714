import CommandTesting
import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Coming from Realm", compiled and run.
@Suite(.timeLimit(.minutes(20))) struct ComingFromRealmTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromRealm.md")
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
      .toMany("episodes", \.episodes, inverse: "podcasts"))
  }

  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int
    var recording: Recording?
    var podcasts: Set<ModelReference<Podcast>>?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("season", \.season),
      .key("recording", \.recording),
      .toMany("podcasts", \.podcasts, inverse: "episodes"))
  }

  struct Recording: MappedModel, Equatable {
    var url: URL
    var seconds: Double

    static let mapping = Mapping(
      "Recording", Recording.init, .key("url", \.url), .key("seconds", \.seconds))
  }
  // end

  private struct OldEpisode: MappedModel {
    var id: Int
    var name: String
    var code: String

    static let mapping = Mapping(
      "Episode", OldEpisode.init,
      .key("id", \.id, .unique), .key("name", \.name), .key("code", \.code))
  }

  private func makeStore() throws -> ModelStore {
    // snippet
    let store = try ModelStore(path: path, models: Podcast.self)
    // end

    // snippet
    let podcast = Podcast(
      id: 1, title: "Deep Time",
      episodes: [
        Episode(id: 7, title: "Basalt", season: 4), Episode(id: 8, title: "Ash", season: 4),
      ])
    let report = try store.write { try $0.save(podcast) }
    let again = try store.write { try $0.save(podcast) }
    print(report.inserted, "new, then", again.unchanged, "equal")
    // end
    return store
  }

  @Test func saving() throws {
    let store = try makeStore()
    try article.expectOutput(of: transcript)

    // snippet
    if var ash = try store.fetchFirst(ModelRequest<Episode>().filter { $0.id == 8 }) {
      ash.title = "Volcanic ash"
      try store.write { try $0.save(ash) }
    }
    try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id == 7 }) }
    // end
    let podcast = try store.fetchFirst(ModelRequest<Podcast>())
    #expect(podcast?.episodes.map(\.title) == ["Volcanic ash"])
  }

  @Test func fetching() throws {
    let store = try makeStore()
    _ = transcript.take()
    // snippet
    let request = ModelRequest<Episode>()
      .filter { $0.season == 4 && $0.title.contains("BAS", .caseInsensitive) }
      .order(by: \.title)
    for episode in try store.fetch(request) { print(episode.title) }

    let podcasts = ModelRequest<Podcast>()
      .filter { $0.episodes.count { $0.season == 4 } >= 2 }
    print(try store.fetch(podcasts).map(\.title))

    let deep = ModelRequest<Episode>().filter { $0.podcasts.any { $0.title == "Deep Time" } }
    print(try store.fetchCount(deep), "episodes")
    // end
    try article.expectOutput(of: transcript)
  }

  private func makeUpdates(of store: ModelStore) throws -> ResultsUpdates<Episode> {
    // snippet
    let list = ModelRequest<Episode>().order(by: \.title)
    let updates = try ResultsController(list, in: store).updates
    try store.write { try $0.save(Episode(id: 8, title: "Cinder", season: 4)) }
    // end
    return updates
  }

  @Test func observing() async throws {
    let updates = try makeUpdates(of: makeStore())
    _ = transcript.take()
    // snippet
    for try await update in updates.prefix(1) {
      print(update.changes)
      let plan = update.changes.batchPlan
      print(plan.movedRows.map { "\($0.from) → \($0.to)" }, plan.reconfiguredRows.count)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func migrating() throws {
    let old = try ModelStore(path: path, models: OldEpisode.self)
    try old.write { try $0.save(OldEpisode(id: 7, name: "Basalt", code: "S04E11")) }
    // snippet
    let configuration = StoreConfiguration(
      migrations: [
        Migration("take seasons from codes") { steps in
          steps.transform("code", of: "Episode", into: "season") { code in
            guard case .string(let text) = code else { return .int64(0) }
            return .int64(Int64(text.dropFirst().prefix(2)) ?? 0)
          }
        }
      ],
      renamings: [Renaming(\Episode.title, from: "name")])
    let store = try ModelStore(path: path, models: Podcast.self, configuration: configuration)
    // end
    let episode = try store.fetchFirst(ModelRequest<Episode>())
    #expect(episode?.title == "Basalt")
    #expect(episode?.season == 4)
  }

  private func makeTask(in store: ModelStore) throws -> Task<[String], Never> {
    // snippet
    let episodes = try store.fetch(ModelRequest<Episode>().order(by: \.title))
    let titles = Task.detached { episodes.map(\.title) }
    // end
    return titles
  }

  @Test func threads() async throws {
    let store = try makeStore()
    let titles = try makeTask(in: store)
    #expect(await titles.value == ["Ash", "Basalt"])

    // snippet
    let renamed = try await store.perform { context in
      let episodes = try context.fetch(ModelRequest<Episode>().filter { $0.season == 4 })
      for episode in episodes { episode.season = 5 }
      try context.save()
      return episodes.count
    }
    // end
    #expect(renamed == 2)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
