import CommandTesting
import DocumentationTesting
import Foundation
import GRDB
import Logging
import Moho
import Testing

/// The code of the article "Opening and migrating stores", compiled and run.
@Suite struct OpeningAndMigratingTests: ArticleTests {
  let article = Article("Sources/MohoSQLite/MohoSQLite.docc/OpeningAndMigrating.md")
  let transcript = Transcript()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { folder.path("episodes.sqlite") }

  // snippet
  struct OldEpisode: MappedModel {
    var id: Int
    var name: String
    var code: String
    var rating: Int?

    static let mapping = Mapping(
      "Episode", OldEpisode.init,
      .key("id", \.id, .unique), .key("name", \.name), .key("code", \.code),
      .key("rating", \.rating))
  }
  // end

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int
    var isPlayed: Bool

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season),
      .key("isPlayed", \.isPlayed, default: false))
  }
  // end

  private func makeOldStore() throws {
    // snippet
    let old = try ModelStore(path: path, models: OldEpisode.self)
    try old.write { try $0.save(OldEpisode(id: 7, name: "Basalt", code: "S04E11", rating: 5)) }
    // end
  }

  @Test func opening() throws {
    // snippet
    var configuration = StoreConfiguration(busyTimeout: 2)
    configuration.applicationID = 0x4D6F_686F
    let store = try ModelStore(path: path, models: Episode.self, configuration: configuration)
    // end
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 0)
  }

  @Test func adopting() throws {
    // snippet
    let database = try DatabasePool(path: path)
    let store = try ModelStore(adopting: database, models: Episode.self)
    try store.write { try $0.save(Episode(id: 7, title: "Basalt", season: 4, isPlayed: false)) }
    print(try database.read { try String.fetchAll($0, sql: "SELECT title FROM Episode") })
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func entities() throws {
    // snippet
    let mark = Entity(
      "Mark",
      attributes: [
        Attribute("second", .int64, constraints: .range(0...86_400)),
        Attribute("note", .string, isOptional: true, constraints: [.length(1...200)]),
      ],
      relationships: [.toOne("episode", "Episode", isOptional: false)],
      unique: [["episode", "second"]])
    let store = try ModelStore(inMemory: Episode.self, entities: [mark])
    // end
    #expect(store.schema.entities.map(\.name) == ["Episode", "Mark"])
  }

  @Test func differences() throws {
    try makeOldStore()
    // snippet
    do {
      _ = try ModelStore(path: path, models: Episode.self)
    } catch let error as StoreError {
      for difference in error.differences { print(difference) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func migrating() throws {
    try makeOldStore()
    // snippet
    let migration = Migration("take seasons from codes") { steps in
      steps.transform("code", of: "Episode", into: "season") { code in
        guard case .string(let text) = code else { return .int64(0) }
        return .int64(Int64(text.dropFirst().prefix(2)) ?? 0)
      }
    }
    // end

    // snippet
    let configuration = StoreConfiguration(
      migrationPolicy: .inferred(discarding: [.key("rating", of: "Episode")]),
      migrations: [migration],
      renamings: [Renaming(\Episode.title, from: "name")])
    let plan = try ModelStore.migrationPlan(
      path: path, models: Episode.self, configuration: configuration)
    for step in plan.steps { print(step.summary) }

    let store = try ModelStore(path: path, models: Episode.self, configuration: configuration)
    for episode in try store.fetch(ModelRequest<Episode>()) {
      print(Episode.mapping.description(of: episode))
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func logging() throws {
    // snippet
    var configuration = StoreConfiguration()
    configuration.log = StatementLog(Logger(label: "episodes.store"), slowerThan: 0.1)
    let store = try ModelStore(path: path, models: Episode.self, configuration: configuration)
    // end
    #expect(store.path == path)
  }

  @Test func readingOnly() throws {
    try ModelStore(path: path, models: Episode.self).writer.close()
    // snippet
    let store = try ModelStore(
      path: path, models: Episode.self, configuration: StoreConfiguration(isReadOnly: true))
    do {
      try store.write { try $0.delete(ModelRequest<Episode>()) }
    } catch let error as StoreError {
      print(error.code)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
