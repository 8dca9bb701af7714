import DocumentationTesting
import Foundation
import GRDB
import Moho
import Testing

/// The code of the article "Coming from SQLiteData", compiled and run.
@Suite(.timeLimit(.minutes(20))) struct ComingFromSQLiteDataTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromSQLiteData.md")
  let transcript = Transcript()

  // snippet
  struct Podcast: MappedModel, Equatable {
    var id: Int
    var title: String
    var episodes: [Episode] = []

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toMany(
        "episodes", \.episodes, inverse: "podcast", onDelete: .cascade, linkPolicy: .merge))
  }

  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int?
    var publishedAt: Date
    var podcast: ModelReference<Podcast>?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season, .indexed),
      .key("publishedAt", \.publishedAt), .toOne("podcast", \.podcast, inverse: "episodes"))
  }
  // end

  private struct OldEpisode: MappedModel {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Episode", OldEpisode.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  private struct UniqueEpisode: MappedModel {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Episode", UniqueEpisode.init,
      .key("id", \.id, .unique), .key("title", \.title, .unique))
  }

  /// A database with the tables of an app that uses SQLiteData.
  private func makeDatabase() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write { database in
      try database.execute(
        sql: """
          CREATE TABLE podcasts (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT;
          CREATE TABLE episodes (
            id INTEGER PRIMARY KEY, title TEXT NOT NULL, season INTEGER,
            publishedAt TEXT NOT NULL,
            podcastID INTEGER NOT NULL REFERENCES podcasts(id) ON DELETE CASCADE) STRICT;
          INSERT INTO podcasts VALUES (1, 'Deep Time');
          INSERT INTO episodes VALUES (7, 'Basalt', 4, '2026-11-21 08:00:00.500', 1);
          """)
    }
    return database
  }

  private let date = Date(timeIntervalSinceReferenceDate: 816_940_800.5)

  private func makeStore() throws -> ModelStore {
    let publishedAt = date
    let store = try ModelStore(inMemory: Podcast.self)
    // snippet
    let podcast = Podcast(id: 1, title: "Deep Time")
    let episodes = try [
      Episode(
        id: 7, title: "Basalt", season: 4, publishedAt: publishedAt,
        podcast: ModelReference(to: podcast)),
      Episode(
        id: 8, title: "Ash", season: 4, publishedAt: publishedAt,
        podcast: ModelReference(to: podcast)),
    ]
    let report = try store.write { try $0.save(podcast) + $0.save(episodes) }
    print(report.inserted, "new,", report.updated, "changed,", report.unchanged, "equal")
    // end
    return store
  }

  @Test func saving() throws {
    let store = try makeStore()
    try article.expectOutput(of: transcript)

    // snippet
    var change = Partial<Episode>()
    change[\.id] = 8
    change[\.title] = "Volcanic ash"
    try store.write { try $0.update([change]) }
    // end
    let changed = ModelRequest<Episode>().filter { $0.title == "Volcanic ash" && $0.season == 4 }
    #expect(try store.fetchCount(changed) == 1)

    // snippet
    try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id == 8 }) }
    // end
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 1)
  }

  @Test func adopting() throws {
    let database = try makeDatabase()
    // snippet
    let store = try ModelStore(adopting: database, models: Podcast.self)
    try store.write { writer in
      try writer.execute(sql: "INSERT INTO Podcast (id, title) SELECT id, title FROM podcasts")
      try writer.execute(
        sql: """
          INSERT INTO Episode (id, title, season, publishedAt, podcast)
          SELECT id, title, season,
            round((julianday(publishedAt) - 2451910.5) * 86400, 3), podcastID
          FROM episodes
          """)
    }
    // end
    #expect(
      try store.fetch(ModelRequest<Episode>()) == [
        Episode(
          id: 7, title: "Basalt", season: 4, publishedAt: date, podcast: ModelReference(key: 1))
      ])
  }

  @Test func fetching() throws {
    let store = try makeStore()
    _ = transcript.take()
    // snippet
    let episodes = try store.fetch(
      ModelRequest<Episode>()
        .filter { $0.season == 4 && $0.title.contains("as") }
        .order(by: \.title)
        .limit(20))
    // end
    #expect(episodes.map(\.title) == ["Basalt"])

    // snippet
    let wordy = try store.fetch(
      Episode.self, sql: "SELECT * FROM Episode WHERE length(title) > ?", arguments: [5])
    // end
    #expect(wordy == episodes)

    // snippet
    let podcasts = ModelRequest<Podcast>().order(by: \.title)
    for row in try store.fetchValues(podcasts, { [$0.title, $0.episodes.count] }) { print(row) }

    let seasons = try store.fetchAggregates(
      ModelRequest<Episode>(), groupedBy: { [$0.podcast.title, $0.season] }
    ) { [.count, .maximum($0.title)] }
    for season in seasons { print(season) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let recent = ModelRequest<Episode>()
      .filter { $0.podcast.title.hasPrefix("Deep") }
      .order { $0.podcast.title }
      .order(by: \.publishedAt, .descending)
    let busy = ModelRequest<Podcast>().filter { $0.episodes.any { $0.season == 4 } }
    // end
    #expect(try store.fetchCount(recent) == 2)
    #expect(try store.fetch(busy).flatMap(\.episodes).map(\.id) == [7, 8])
  }

  private func makeController(in store: ModelStore) throws -> ResultsController<Episode> {
    // snippet
    let list = ModelRequest<Episode>().order(by: \.season).order(by: \.title)
    let controller = try ResultsController(list, in: store, sectionedBy: \.season)
    // end
    return controller
  }

  @Test func observing() async throws {
    let store = try makeStore()
    _ = transcript.take()
    let controller = try makeController(in: store)
    // snippet
    let updates = controller.updates
    try await store.writer.write { database in
      try database.execute(sql: "UPDATE Episode SET title = 'Zircon', season = 5 WHERE id = 8")
    }
    for try await update in updates.prefix(1) { print(update.changes) }
    print(controller.snapshot.sections.map { "season \($0.name): \($0.count)" })
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func migrating() throws {
    // snippet
    let configuration = StoreConfiguration(
      migrations: [
        Migration("merge equal titles") { steps in
          steps.sql(
            """
            DELETE FROM Episode
            WHERE id NOT IN (SELECT min(id) FROM Episode GROUP BY title)
            """)
        }
      ])
    // end
    let database = try DatabaseQueue()
    let old = try ModelStore(adopting: database, models: OldEpisode.self)
    try old.write { try $0.save([7, 8].map { OldEpisode(id: $0, title: "Basalt") }) }
    let store = try ModelStore(
      adopting: database, models: UniqueEpisode.self, configuration: configuration)
    #expect(try store.fetch(ModelRequest<UniqueEpisode>()).map(\.id) == [7])
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
