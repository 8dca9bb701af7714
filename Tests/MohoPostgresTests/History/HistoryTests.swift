import Foundation
import MohoMapping
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

private struct Show: MappedModel, Hashable {
  var name: String
  var episodes: [ModelReference<Part>] = []

  static let mapping = Mapping(
    "Show", Show.init, .key("name", \.name, .unique),
    .toMany("episodes", \.episodes, inverse: "show", onDelete: .cascade))
}

private struct Part: MappedModel, Hashable {
  var id: Int
  var title = ""
  var show: ModelReference<Show>?

  static let mapping = Mapping(
    "Part", Part.init, .key("id", \.id, .unique), .key("title", \.title, default: ""),
    .toOne("show", \.show, inverse: "episodes"))
}

/// Writers without a store, tokens of other databases, and deleted changes.
@Suite(.requiresPostgres)
struct HistoryTests {
  private let url: String
  private let connection: PostgresConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    connection = try PostgresConnection(url)
  }

  private func open(
    _ history: HistoryPolicy = .enabled(), url: String? = nil, isReadOnly: Bool = false,
    isolation: PostgresConfiguration.Isolation = .serializable
  ) throws -> ModelStore {
    var configuration = PostgresConfiguration()
    configuration.history = history
    configuration.isolation = isolation
    configuration.isReadOnly = isReadOnly
    return try ModelStore(
      postgres: url ?? self.url, models: Show.self, Part.self, configuration: configuration)
  }

  private func lines(_ store: ModelStore, since token: HistoryToken?) throws -> [[String]] {
    try store.fetchHistory(since: token).map { $0.changes.map(\.description).sorted() }
  }

  @Test func aTransactionOfAnotherProgramIsOneTransaction() throws {
    let store = try open()

    try connection.execute(
      """
      BEGIN;
      INSERT INTO "Show" (name) VALUES ('core');
      INSERT INTO "Part" (id, title, show) SELECT n, '', 1 FROM generate_series(1, 3) n;
      COMMIT;
      UPDATE "Part" SET title = 'x' WHERE id = 2
      """)
    try connection.execute(#"UPDATE "Part" SET title = title"#)

    #expect(
      try lines(store, since: nil) == [
        ["insert `Part` 1", "insert `Part` 2", "insert `Part` 3", "insert `Show` \"core\""],
        ["update `Part` 2: title"],
      ])
    #expect(try store.fetchHistory(since: nil).allSatisfy { $0.author == nil })
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/psql"), "requires psql"))
  func psqlIsRecorded() throws {
    let store = try open()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/psql")
    process.arguments = [
      url, "-q", "-c", #"INSERT INTO "Show" (name) VALUES ('core')"#, "-c",
      #"\copy "Part" (id, title) FROM PROGRAM 'printf "7\tx\n8\ty\n"'"#,
    ]
    try process.run()
    process.waitUntilExit()

    #expect(process.terminationStatus == 0)
    #expect(
      try lines(store, since: nil) == [
        ["insert `Show` \"core\""], ["insert `Part` 7", "insert `Part` 8"],
      ])
  }

  @Test func truncatedRowsAreDeleted() throws {
    let store = try open()
    try store.write { writer in
      try writer.save([Show(name: "core"), Show(name: "crust")])
      try writer.save([Part(id: 1, show: try ModelReference(key: "core")), Part(id: 2)])
    }
    var token = try store.currentHistoryToken()

    try connection.execute(#"TRUNCATE "Part""#)
    #expect(
      try lines(store, since: token) == [
        ["delete `Part` 1", "delete `Part` 2", "update `Show` \"core\": episodes"]
      ])

    try store.write { try $0.save(Part(id: 3, show: try ModelReference(key: "crust"))) }
    token = try store.currentHistoryToken()
    try connection.execute(#"TRUNCATE "Show" CASCADE"#)
    #expect(
      try lines(store, since: token) == [
        ["delete `Part` 3", "delete `Show` \"core\"", "delete `Show` \"crust\""]
      ])
    #expect(try store.fetchChanges(since: nil).isEmpty)
  }

  @Test func savepointsThatAreRolledBackAreNotRecorded() throws {
    let store = try open()
    try connection.execute(
      """
      BEGIN;
      INSERT INTO "Part" (id, title) VALUES (1, '');
      SAVEPOINT a;
      INSERT INTO "Part" (id, title) VALUES (2, '');
      ROLLBACK TO a;
      INSERT INTO "Part" (id, title) VALUES (3, '');
      COMMIT
      """)

    #expect(try lines(store, since: nil) == [["insert `Part` 1", "insert `Part` 3"]])
  }

  @Test func anOpenTransactionIsReadAfterItIsCommitted() throws {
    let store = try open()
    try connection.execute(
      #"BEGIN; INSERT INTO "Part" (id, title) VALUES (1, '')"#)
    try store.write { try $0.save(Part(id: 2)) }
    let tokens = [
      try store.currentHistoryToken(), try #require(try store.fetchHistory(since: nil).last?.token),
    ]
    #expect(try lines(store, since: nil) == [["insert `Part` 2"]])
    try store.write { try $0.save(Part(id: 3)) }
    try connection.execute("COMMIT")

    for token in tokens {
      let history = try store.fetchHistory(since: token)
      #expect(history.map { "\($0.changes)" } == ["[insert `Part` 1]", "[insert `Part` 3]"])
      let first = try #require(history.first?.token)
      #expect(token < first)
      #expect(try lines(store, since: first) == [["insert `Part` 3"]])
    }
  }

  @Test func aTokenOfATransactionThatWritesIsInTheMiddleOfIt() throws {
    // A serializable transaction would conflict with the other one, and run again.
    let (store, other) = (try open(isolation: .repeatableRead), try open())
    var runCount = 0
    let token = try store.write { writer in
      runCount += 1
      try writer.save(Part(id: 1))
      // Commits that the transaction does not see, with changes before and after its own.
      try other.write { try $0.save(Part(id: 2)) }
      try writer.save(Part(id: 3))
      let token = try writer.reader.currentHistoryToken()
      #expect(try writer.reader.fetchHistory(since: token) == [])
      try writer.save(Part(id: 4))
      let found = try writer.reader.fetchHistory(since: token).map { "\($0.changes)" }
      #expect(found == ["[insert `Part` 4]"])
      return token
    }

    #expect(runCount == 1)
    let history = try store.fetchHistory(since: token)
    #expect(
      history.map { $0.changes.map(\.description) } == [["insert `Part` 2"], ["insert `Part` 4"]])
    let first = try #require(history.first?.token)
    #expect(try lines(store, since: first) == [["insert `Part` 4"]])

    // The transaction has a change after the token, which remains.
    try store.write { try $0.deleteHistory(before: first) }
    #expect(try lines(store, since: first) == [["insert `Part` 4"]])
  }

  @Test func aTransactionOfTwoAuthorsIsReadInPagesAfterALaterOne() throws {
    let store = try open()
    try connection.execute(#"BEGIN; INSERT INTO "Part" (id, title) VALUES (1, '')"#)
    try store.write { try $0.save(Part(id: 2)) }
    try connection.execute(
      """
      SET LOCAL moho.author = '=x';
      INSERT INTO "Part" (id, title) VALUES (3, '');
      COMMIT
      """)

    var pages: [HistoryTransaction] = []
    while pages.count < 10,
      let page = try store.fetchHistory(since: pages.last?.token, limit: 1).first
    {
      pages.append(page)
    }

    #expect(
      pages.map(\.description) == [
        "no author\n  insert `Part` 2", "no author\n  insert `Part` 1", "x\n  insert `Part` 3",
      ])
    let tokens = pages.map(\.token)
    #expect(tokens == tokens.sorted() && Set(tokens).count == tokens.count)
  }

  @Test func beginningWaitsForTransactionsThatHaveWritten() async throws {
    _ = try open(.unchanged)
    try connection.execute(#"BEGIN; INSERT INTO "Part" (id, title) VALUES (1, '')"#)
    let url = url
    async let opening = Task.detached {
      var configuration = PostgresConfiguration()
      configuration.history = .enabled()
      return try ModelStore(
        postgres: url, Schema([Show.self, Part.self]), configuration)
    }.value
    let observer = try PostgresConnection(url)
    let waiting = """
      SELECT count(*) FROM pg_locks
      WHERE NOT granted AND locktype = 'relation' AND relation = '"Part"'::regclass
      """
    let end = ContinuousClock.now + .seconds(60)
    while try observer.values(waiting) == ["0"], ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
    try connection.execute(#"INSERT INTO "Part" (id, title) VALUES (2, ''); COMMIT"#)
    let store = try await opening
    try connection.execute(#"INSERT INTO "Part" (id, title) VALUES (3, '')"#)

    #expect(try lines(store, since: nil) == [["insert `Part` 3"]])
  }

  @Test func aCopyOfTheDatabaseHasAnotherHistory() throws {
    let server = try PostgresServer.shared()
    let name = "history_\(UInt32.random(in: 0...UInt32.max))"
    try server.execute("CREATE DATABASE \(name)")
    let original = server.url(database: name)
    var tokens: [HistoryToken] = []
    do {
      let store = try open(url: original)
      try store.write { try $0.save(Part(id: 1)) }
      tokens.append(try store.currentHistoryToken())
      try store.write { try $0.save(Part(id: 2)) }
    }
    // The connections end a moment later.
    var failures = 0
    while true {
      do {
        try server.execute("CREATE DATABASE \(name)_copy TEMPLATE \(name)")
        break
      } catch {
        failures += 1
        guard failures < 200 else { throw error }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
    let copyURL = server.url(database: "\(name)_copy")
    do {
      let reader = try open(.unchanged, url: copyURL, isReadOnly: true)
      #expect(throws: StoreError.self) { try reader.currentHistoryToken() }
    }
    let (store, copy) = (try open(url: original), try open(.unchanged, url: copyURL))
    try copy.write { try $0.save(Part(id: 3)) }

    #expect(try lines(store, since: tokens[0]) == [["insert `Part` 2"]])
    #expect(try lines(copy, since: nil) == [["insert `Part` 3"]])
    for (store, token) in [(copy, tokens[0]), (store, try copy.currentHistoryToken())] {
      let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
      #expect(error?.code == .foreignHistoryToken)
      #expect(throws: StoreError.self) {
        try store.write { try $0.deleteHistory(before: token) }
      }
    }
  }

  @Test func aRestoredDumpHasItsRowsAndBeginsAnotherHistory() throws {
    let server = try PostgresServer.shared()
    let original = try open()
    let shows = [
      Show(name: "Crust", episodes: [try ModelReference(key: 1), try ModelReference(key: 2)])
    ]
    try original.write { writer in
      try writer.save([Part(id: 1, title: "Moho"), Part(id: 2, title: "Éclogite")])
      try writer.save(shows)
    }
    let token = try original.currentHistoryToken()
    // The dump also has the triggers and the log of an observed store.
    let observed = try ResultsController(ModelRequest<Part>().order(by: \.id), in: original)
    let schema = try #require(connection.query("SELECT current_schema").first?.string(0))
    let file = FileManager.default.temporaryDirectory
      .appending(path: "\(UUID().uuidString).sql").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try withExtendedLifetime(observed) { try server.dump(schema: schema, to: file) }
    try server.execute("ALTER SCHEMA \(schema) RENAME TO \(schema)_old")
    try server.restore(file)

    let plan = try ModelStore.migrationPlan(postgres: url, models: Show.self, Part.self)
    #expect(plan.isEmpty, "\(plan)")
    let restored = try open(.unchanged)
    #expect(try restored.fetch(ModelRequest<Show>()) == shows)
    let list = try ResultsController(ModelRequest<Part>().order(by: \.id), in: restored)
    try server.execute(#"UPDATE \#(schema)."Part" SET title = 'Tuff' WHERE id = 2"#)
    try restored.write { try $0.save(Part(id: 3)) }
    #expect(try list.snapshot.models().map(\.title) == ["Moho", "Tuff", ""])
    let error = #expect(throws: StoreError.self) { try restored.fetchHistory(since: token) }
    #expect(error?.code == .foreignHistoryToken)
    #expect(
      try lines(restored, since: nil).flatMap { $0 }
        == ["update `Part` 2: title", "insert `Part` 3"])
  }

  @Test func aTokenOfAFileIsForeign() throws {
    let store = try open()
    let token = try JSONDecoder().decode(
      HistoryToken.self, from: Data(#"{"history":"x","sequence":3,"time":5}"#.utf8))
    let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
    #expect(error?.code == .foreignHistoryToken)
  }

  @Test func aTokenIsForeignIfItsChangeIsLost() throws {
    let store = try open()
    try store.write { try $0.save(Part(id: 1)) }
    let token = try store.currentHistoryToken()
    // As if a server without the last commits had taken over.
    try connection.execute(#"UPDATE "_moho history" SET date = date + interval '1 hour'"#)

    let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
    #expect(error?.code == .foreignHistoryToken)
  }

  @Test func aTokenOfAnotherTimelineIsValidIfALaterCommitHasSurvived() throws {
    let store = try open()
    try store.write { try $0.save(Part(id: 1)) }
    let token = try store.currentHistoryToken()
    try store.write { try $0.save(Part(id: 2)) }
    let last = try store.currentHistoryToken()
    func onFormerServer(_ token: HistoryToken) -> HistoryToken {
      HistoryToken(
        history: token.history, sequence: token.sequence, time: token.time, unseen: token.unseen,
        timeline: 0, deletionCount: token.deletionCount)
    }
    try connection.execute(#"UPDATE "_moho history" SET timeline = 0"#)

    #expect(try lines(store, since: onFormerServer(token)) == [["insert `Part` 2"]])
    let error = #expect(throws: StoreError.self) {
      try store.fetchHistory(since: onFormerServer(last))
    }
    #expect(error?.code == .foreignHistoryToken)
  }

  @Test func writesDeleteALimitedNumberOfOldChanges() throws {
    let token: HistoryToken
    do {
      let store = try open()
      token = try store.currentHistoryToken()
      try connection.execute(
        """
        DO 'BEGIN FOR n IN 1..12000 LOOP
          INSERT INTO "Part" (id, title) VALUES (n, ''''); END LOOP; END';
        INSERT INTO "Part" (id, title) SELECT n, '' FROM generate_series(12001, 12100) n
        """)
      try connection.execute(
        #"UPDATE "_moho history" SET date = date - interval '10 days'"#)
    }
    let store = try open(.enabled(maximumAge: 86_400))
    try store.write { try $0.save(Part(id: -1)) }
    try store.write { try $0.save(Part(id: -2)) }

    #expect(try lines(store, since: nil) == [["insert `Part` -1"], ["insert `Part` -2"]])
    let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
    #expect(error?.code == .historyDeleted)
  }

  @Test func aDeletionDoesNotInvalidateTokensAfterIt() throws {
    let store = try open()
    try store.write { try $0.save(Part(id: 1)) }
    let first = try store.currentHistoryToken()
    try connection.execute(#"BEGIN; INSERT INTO "Part" (id, title) VALUES (2, '')"#)
    try store.write { try $0.save(Part(id: 3)) }
    let second = try store.currentHistoryToken()
    try store.write { try $0.deleteHistory(before: second) }
    try connection.execute("COMMIT")

    #expect(try lines(store, since: second) == [["insert `Part` 2"]])
    #expect(try lines(store, since: nil) == [["insert `Part` 2"]])
    #expect(throws: StoreError.self) { try store.fetchHistory(since: first) }

    try store.write { try $0.deleteHistory(before: .now.addingTimeInterval(60)) }
    let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: second) }
    #expect(error?.code == .historyDeleted)
  }

  @Test func anAuthorEndsWithItsTransaction() throws {
    let store = try open()
    try store.write(author: "it's") { try $0.save(Part(id: 1)) }
    try store.write { try $0.save(Part(id: 2)) }

    #expect(try store.fetchHistory(since: nil).map(\.author) == ["it's", nil])
  }

  /// A standby server reads the history, and replaces a primary server whose last commits are
  /// lost.
  @Test func tokensOfLostCommitsAreForeignAfterAFailover() throws {
    let primary = try PostgresServer()
    let former = try open(url: primary.url())
    let connection = try PostgresConnection(primary.url())
    try former.write { try $0.save(Part(id: 1)) }
    let old = try former.currentHistoryToken()
    try former.write { try $0.save(Part(id: 2)) }
    let standby = try PostgresServer(standbyOf: primary)
    try connection.execute(#"BEGIN; INSERT INTO "Part" (id, title) VALUES (3, '')"#)
    try former.write { try $0.save(Part(id: 4)) }
    let reader = try open(.unchanged, url: standby.url())
    func waitForStandby(_ count: Int) throws {
      while try reader.fetchHistory(since: nil).count < count { usleep(5_000) }
    }
    try waitForStandby(3)

    let token = try reader.currentHistoryToken()
    #expect(try lines(reader, since: old) == [["insert `Part` 2"], ["insert `Part` 4"]])
    #expect(try lines(reader, since: token) == [])
    try connection.execute("COMMIT")
    try former.write { try $0.save(Part(id: 5)) }
    try waitForStandby(5)
    #expect(try lines(reader, since: token) == [["insert `Part` 3"], ["insert `Part` 5"]])
    #expect(try lines(former, since: token) == [["insert `Part` 3"], ["insert `Part` 5"]])

    // The standby server does not receive the last commits.
    try standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
    try standby.execute("SELECT pg_reload_conf()")
    while try standby.execute("SELECT count(*)::text FROM pg_stat_wal_receiver") != [["0"]] {
      usleep(5_000)
    }
    let survivor = try former.currentHistoryToken()
    try former.write { try $0.save(Part(id: 6)) }
    let lost = try former.currentHistoryToken()
    primary.kill()
    try standby.promote()
    let store = try open(.unchanged, url: standby.url())
    try store.write { try $0.save(Part(id: 7)) }

    #expect(
      try lines(store, since: token) == [
        ["insert `Part` 3"], ["insert `Part` 5"], ["insert `Part` 7"],
      ])
    for token in [lost, survivor] {
      // It is not known whether a commit after the second token was lost.
      let error = #expect(throws: StoreError.self) { try store.fetchHistory(since: token) }
      #expect(error?.code == .foreignHistoryToken)
    }
  }
}
