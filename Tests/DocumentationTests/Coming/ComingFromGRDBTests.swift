import DocumentationTesting
import Foundation
import GRDB
import Moho
import Testing

/// The code of the article "Coming from GRDB", compiled and run.
@Suite struct ComingFromGRDBTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromGRDB.md")
  let transcript = Transcript()

  // snippet
  struct EpisodeRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "episodeRecord"

    var id: Int
    var title: String
    var season: Int?

    enum Columns {
      static let title = Column(CodingKeys.title)
      static let season = Column(CodingKeys.season)
    }
  }
  // end

  // snippet
  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var season: Int?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season, .indexed))
  }
  // end

  private func makeQueue() throws -> DatabaseQueue {
    // snippet
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("episodes") { database in
      try database.create(table: "episodeRecord") { table in
        table.primaryKey("id", .integer)
        table.column("title", .text).notNull()
        table.column("season", .integer).indexed()
      }
    }
    try migrator.migrate(queue)
    // end
    return queue
  }

  @Test func theCalls() async throws {
    let queue = try makeQueue()
    // snippet
    let store = try ModelStore(adopting: queue, models: Episode.self)
    // end

    // snippet
    try await queue.write { database in
      for id in 1...3 {
        try EpisodeRecord(id: id, title: "Part \(id)", season: 4).upsert(database)
      }
    }
    let records = try await queue.read { database in
      try EpisodeRecord
        .filter { $0.season == 4 && $0.title.like("Part%") }
        .order(\.title.desc)
        .fetchAll(database)
    }
    // end

    // snippet
    try await store.write { writer in
      try writer.save((1...3).map { Episode(id: $0, title: "Part \($0)", season: 4) })
    }
    let episodes = try await store.fetch(
      ModelRequest<Episode>()
        .filter { $0.season == 4 && $0.title.hasPrefix("Part") }
        .order(by: \.title, .descending))
    // end
    #expect(records.map(\.id) == episodes.map(\.id))
    #expect(episodes.map(\.id) == [3, 2, 1])

    // snippet
    let observation = ValueObservation.tracking { database in
      try EpisodeRecord.order(\.title).fetchAll(database)
    }
    for try await records in observation.values(in: queue).prefix(1) {
      print(records.count, "records")
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let controller = try await ResultsController(
      ModelRequest<Episode>().order(by: \.title), in: store)
    let updates = controller.updates
    try await queue.write { try $0.execute(sql: "UPDATE Episode SET title = 'Zero' WHERE id = 1") }
    for try await update in updates.prefix(1) { print(update.changes) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func oneTransaction() throws {
    let queue = try makeQueue()
    let store = try ModelStore(adopting: queue, models: Episode.self)
    // snippet
    try store.write { writer in
      try writer.save(Episode(id: 7, title: "Basalt", season: 4))
      try store.writer.unsafeReentrantWrite { database in
        try EpisodeRecord(id: 7, title: "Basalt", season: 4).insert(database)
      }
    }
    // end
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 1)
    #expect(try queue.read { try EpisodeRecord.fetchCount($0) } == 1)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
