import DocumentationTesting
import Foundation
import Moho
import MohoPostgres
import PostgresTesting
import Testing

/// The code of the article "Storing models on PostgreSQL", compiled and run.
@Suite(.enabled(if: !PostgresServer.isSkipped, "MOHO_ENGINE is sqlite"))
struct StoringOnPostgreSQLTests: ArticleTests {
  let article = Article("Sources/MohoPostgres/MohoPostgres.docc/StoringOnPostgreSQL.md")
  let transcript = Transcript()
  private let url: String
  private let store: ModelStore

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var plays: Int

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("plays", \.plays, default: 0))
  }
  // end

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    // snippet
    let store = try ModelStore(postgres: url, models: Episode.self)
    try store.write { try $0.save(Episode(id: 7, title: "Basalt", plays: 0)) }
    // end
    self.store = store
  }

  struct Values: MappedModel {
    enum Kind: String, FieldValue { case free }

    var id: UInt64, int: Int, int8: Int8, int64: Int64, uint8: UInt8, uint32: UInt32
    var uint: UInt, uint64: UInt64, double: Double, float: Float, decimal: Decimal, bool: Bool
    var string: String, url: URL, uuid: UUID, kind: Kind, date: Date, data: Data
    var array: [Int], set: Set<Int>, dictionary: [String: Int], codable: [Int], model: Episode
    var link: Episode?, reference: ModelReference<Episode>?

    static let mapping = Mapping(
      "Values", Values.init,
      .key("id", \.id, .unique), .key("int", \.int), .key("int8", \.int8), .key("int64", \.int64),
      .key("uint8", \.uint8), .key("uint32", \.uint32), .key("uint", \.uint),
      .key("uint64", \.uint64), .key("double", \.double), .key("float", \.float),
      .key("decimal", \.decimal), .key("bool", \.bool), .key("string", \.string),
      .key("url", \.url), .key("uuid", \.uuid), .key("kind", \.kind), .key("date", \.date),
      .key("data", \.data), .key("array", \.array), .key("set", \.set),
      .key("dictionary", \.dictionary), .key("codable", \.codable, .codable),
      .key("model", \.model), .toOne("link", \.link), .toOne("reference", \.reference))
  }

  @Test func columnsHaveTheTypesOfTheTable() throws {
    _ = try ModelStore(postgres: url, models: Values.self)
    let columns = try AdministratorConnection(url).execute(
      """
      SELECT format_type(atttypid, atttypmod) || ': ' || string_agg(attname, ' ' ORDER BY attnum)
      FROM pg_attribute WHERE attrelid = '"Values"'::regclass AND attnum > 0
      GROUP BY atttypid, atttypmod ORDER BY 1
      """
    ).compactMap { $0[0] }

    #expect(
      columns == [
        "bigint: id int int8 int64 uint8 uint32 link reference", "boolean: bool",
        "bytea: data", "double precision: double float",
        "jsonb: array set dictionary model", "numeric(20,0): uint uint64",
        "numeric: decimal", "text: string url kind codable", "timestamp with time zone: date",
        "uuid: uuid",
      ])
    let types = try article.tableRows.compactMap { $0.split(separator: "|").last }
      .compactMap { $0.split(separator: "`").dropFirst().first }.map(String.init)
    #expect(columns.allSatisfy { column in types.contains { column.hasPrefix("\($0): ") } })
  }

  @Test func following() async throws {
    // snippet
    let mostPlayed = ModelRequest<Episode>().order(by: \.plays, .descending)
    let controller = try await ResultsController(mostPlayed, in: store)
    var updates = controller.updates.makeAsyncIterator()

    let other = try await ModelStore(postgres: url, models: Episode.self)
    try await other.write { writer in
      try writer.save([
        Episode(id: 7, title: "Basalt", plays: 1), Episode(id: 8, title: "Loess", plays: 2),
      ])
    }
    if let update = try await updates.next() { print(update.changes) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func trackingHistory() throws {
    // snippet
    var configuration = PostgresConfiguration()
    configuration.history = .enabled(maximumAge: 90 * 86_400)
    let store = try ModelStore(postgres: url, models: Episode.self, configuration: configuration)
    let token = try store.currentHistoryToken()
    try store.write(author: "import") { try $0.save(Episode(id: 9, title: "Marl", plays: 0)) }
    try store.write { try $0.execute(sql: #"DELETE FROM "Episode" WHERE id = 9"#) }
    for transaction in try store.fetchHistory(since: token) { print(transaction) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func usingSQL() throws {
    // snippet
    try store.write { writer in
      try writer.execute(
        sql: #"UPDATE "Episode" SET plays = plays + $1 WHERE title LIKE $2"#, arguments: [5, "B%"])
    }
    let episodes = try store.fetch(
      Episode.self, sql: #"SELECT * FROM "Episode" WHERE length(title) > $1"#, arguments: [5])
    for episode in episodes { print(episode.title, episode.plays) }
    // end
    try article.expectOutput(of: transcript)
  }

  /// Stores on PostgreSQL have no connections of GRDB.
  @Test func theWriterIsForStoresInFiles() {
    let error = #expect(throws: StoreError.self) { try store.writer }

    #expect(error?.code == .invalidRequest)
    #expect(
      error?.description == """
        invalid request: the store is not a SQLite database, and has no connections of GRDB - \
        `ModelStore.writer`; use `StoreWriter.execute(sql:arguments:)` or `fetch(_:sql:arguments:)`
        """)
  }

  @Test func conflicts() throws {
    // snippet
    try store.write { writer in
      let request = ModelRequest<Episode>().filter { $0.id == 7 }
      for var episode in try writer.reader.fetch(request) {
        episode.plays += 1
        try writer.save(episode)
      }
    }
    // end
    #expect(try store.fetchFirst(ModelRequest<Episode>())?.plays == 1)
  }

  @Test func lostConnections() throws {
    // snippet
    func countPlay(of episode: Episode) throws {
      do {
        try store.write { try $0.save(episode) }
      } catch let error as StoreError where error.code == .connectionLost {
        // Nothing was committed.
        try store.write { try $0.save(episode) }
      } catch let error as StoreError where error.code == .commitUnknown {
        // The commit may have succeeded. Saving the same models again is safe.
        try store.write { try $0.save(episode) }
      }
    }
    // end
    try countPlay(of: Episode(id: 7, title: "Basalt", plays: 3))

    #expect(try store.fetchFirst(ModelRequest<Episode>())?.plays == 3)
  }

  // snippet
  struct TimedEpisode: MappedModel {
    var id: Int
    var name: String
    var seconds: Int
    var note: String?

    static let mapping = Mapping(
      "Episode", TimedEpisode.init,
      .key("id", \.id, .unique), .key("name", \.name, .indexed),
      .key("seconds", \.seconds, default: 0), .key("note", \.note))
  }
  // end

  @Test func migrating() throws {
    try store.write { try $0.save(Episode(id: 7, title: "Basalt", plays: 3)) }
    // snippet
    var configuration = PostgresConfiguration()
    configuration.renamings = [Renaming(\TimedEpisode.name, from: "title")]
    let plan = try ModelStore.migrationPlan(
      postgres: url, models: TimedEpisode.self, configuration: configuration)
    for step in plan.steps { print(step.summary) }
    for loss in plan.losses { print(loss) }
    // end
    try article.expectOutput(of: transcript)
    let error = #expect(throws: StoreError.self) {
      try ModelStore(postgres: url, models: TimedEpisode.self, configuration: configuration)
    }
    #expect(error?.code == .wouldLoseData)
    // snippet
    configuration.migrations = [
      Migration("note the number of plays") { steps in
        steps.sql(
          #"""
          ALTER TABLE "Episode" ADD COLUMN "note" text COLLATE "C";
          UPDATE "Episode" SET "note" = "plays" || ' plays' WHERE "plays" > 0
          """#)
        steps.discard("plays", of: "Episode")
      }
    ]
    let store = try ModelStore(
      postgres: url, models: TimedEpisode.self, configuration: configuration)
    for episode in try store.fetch(ModelRequest<TimedEpisode>()) {
      print(TimedEpisode.mapping.description(of: episode))
    }
    // end
    try article.expectOutput(of: transcript)
  }

  /// The codes in the table, which has their names.
  @Test func theCodesOfTheTableExist() throws {
    let codes: [String: StoreError.Code] = [
      "cannotConnect": .cannotConnect, "accessDenied": .accessDenied,
      "connectionLost": .connectionLost, "commitUnknown": .commitUnknown,
      "conflict": .conflict, "readOnly": .readOnly, "unsupportedServer": .unsupportedServer,
      "invalidConnectionString": .invalidConnectionString, "storeNotFound": .storeNotFound,
      "busy": .busy,
    ]
    let rows = try article.tableRows.filter { $0.hasPrefix("| `") }
    // The names of types in the other table begin with capital letters.
    let names = rows.compactMap { $0.split(separator: "`").dropFirst().first }
      .filter { $0.first?.isLowercase ?? false && !$0.hasPrefix(".") }

    #expect(names.map(String.init).sorted() == codes.keys.sorted())
  }
}
