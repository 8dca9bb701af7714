import Dispatch
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres

/// Lists of a store whose tables other programs lock.
@Suite(.requiresPostgres, .timeLimit(.minutes(5)))
struct ForeignLockTests {
  private let url: String
  private let store: ModelStore
  /// Another program.
  private let other: AdministratorConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, Schema([LockedNote.self, LockedItem.self], entities: []))
    other = try AdministratorConnection(url)
    try store.write { writer in
      try writer.save([LockedNote(id: 1, text: "Basalt")])
      try writer.save([LockedItem(id: 1, tags: [LockedTag(name: "a"), LockedTag(name: "b")])])
    }
  }

  private func notes() async throws -> ResultsController<LockedNote> {
    try await ResultsController(ModelRequest<LockedNote>().order(by: \.id), in: store)
  }

  private func items() async throws -> ResultsController<LockedItem> {
    try await ResultsController(ModelRequest<LockedItem>().order(by: \.id), in: store)
  }

  /// Performs five writes, and checks that they do not wait for observers. A write that waits takes
  /// at least ``PostgresCommitFeed/settlingTimeout``. The machine may be busy, so the fastest write
  /// counts.
  private func expectNoWaiting(_ write: (_ id: Int) async throws -> Void) async throws {
    var fastest = Duration.seconds(1_000)
    for id in 2...6 {
      fastest = min(fastest, try await ContinuousClock().measure { try await write(id) })
    }
    #expect(fastest < .seconds(PostgresCommitFeed.settlingTimeout))
  }

  @Test(arguments: [
    "TRUNCATE \"_moho_Item_tags\"", "LOCK TABLE \"Item\"", "TRUNCATE \"Tag\" CASCADE",
  ])
  func `a lock on a table that no list reads delays nothing`(sql: String) async throws {
    let controller = try await notes()
    var updates = controller.updates.makeAsyncIterator()
    try other.execute("BEGIN; \(sql)")

    try await expectNoWaiting { id in
      try await store.write { _ = try $0.save([LockedNote(id: id, text: "Loess")]) }
      #expect(controller.snapshot.count == id)
    }
    while let update = try await updates.next(), update.after.count < 6 {}
    try AdministratorConnection(url).execute("INSERT INTO \"Note\" (id, text) VALUES (7, 'Gabbro')")
    #expect(try await updates.next()?.after.count == 7)
    try other.execute("ROLLBACK")
  }

  @Test(arguments: ["Item", "Tag", "_moho_Item_tags"])
  func `the list of a locked table follows when it is unlocked, and others at once`(
    table: String
  ) async throws {
    let (notes, items) = (try await notes(), try await items())
    var updates = items.updates.makeAsyncIterator()
    #expect(try items.snapshot.model(at: RowPath(section: 0, row: 0)).tags.count == 2)
    try other.execute(
      "BEGIN; LOCK TABLE \"\(table)\"; UPDATE \"Tag\" SET name = 'c' WHERE name = 'b'")

    try await expectNoWaiting { id in
      try await store.write { _ = try $0.save([LockedNote(id: id, text: "Loess")]) }
      #expect(notes.snapshot.count == id)
    }

    try other.execute("COMMIT")
    let update = try #require(try await updates.next())
    #expect("\(update.changes)" == "update [0, 0] → [0, 0] changed tags")
    #expect(
      try items.snapshot.model(at: RowPath(section: 0, row: 0)).tags.map(\.name).sorted() == [
        "a", "c",
      ])
  }

  @Test func `a list whose request has changed misses no commit during a lock`() async throws {
    let items = try await items()
    try await items.setRequest(
      ModelRequest<LockedItem>().filter { $0.tags.any { $0.name == "b" } }.order(by: \.id))
    #expect(items.snapshot.count == 1)
    try other.execute("BEGIN; LOCK TABLE \"Item\"")
    try AdministratorConnection(url).execute("UPDATE \"Tag\" SET name = 'c' WHERE name = 'b'")
    try await store.write { _ = try $0.save([LockedNote(id: 2, text: "Loess")]) }
    var updates = items.updates.makeAsyncIterator()
    try other.execute("COMMIT")
    if items.snapshot.count == 1 { _ = try await updates.next() }
    #expect(items.snapshot.count == 0)
  }

  @Test func `a list follows after the indexes of its table were locked`() async throws {
    let notes = try await notes()
    let index = try #require(
      try other.execute(
        """
        SELECT indexname FROM pg_indexes
        WHERE tablename = 'Note' AND schemaname = current_schema() LIMIT 1
        """
      ).first?[0])
    try other.execute("BEGIN; REINDEX INDEX \"\(index)\"")
    async let saved: Void = store.write { _ = try $0.save([LockedItem(id: 7, tags: [])]) }
    try await saved
    try other.execute("INSERT INTO \"Note\" (id, text) VALUES (2, 'Loess'); COMMIT")
    let end = ContinuousClock.now + .seconds(30)
    while notes.snapshot.count < 2, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(notes.snapshot.count == 2)
  }

  @Test func `all commits during a lock are one exact update after it`() async throws {
    let items = try await items()
    var updates = items.updates.makeAsyncIterator()
    try await store.write { _ = try $0.save((2...9).map { LockedItem(id: $0, tags: []) }) }
    _ = try await updates.next()
    let writer = try AdministratorConnection(url)
    try other.execute("BEGIN; LOCK TABLE \"Tag\"")
    for id in [4, 6, 8] { try writer.execute("DELETE FROM \"Item\" WHERE id = \(id)") }
    try writer.execute("INSERT INTO \"Item\" (id, rank) VALUES (6, 0)")
    try other.execute("COMMIT")
    let update = try #require(try await updates.next())
    #expect(
      "\(update.changes)" == """
        delete [0, 3]
        delete [0, 7]
        """)
    #expect(try items.snapshot.models().map(\.id) == [1, 2, 3, 5, 6, 7, 9])
  }

  @Test func `a new list of a locked table waits, and others go on`() async throws {
    let notes = try await notes()
    try other.execute("BEGIN; LOCK TABLE \"Item\"")
    async let created = items()
    try await Task.sleep(for: .milliseconds(100))
    try await expectNoWaiting { id in
      try await store.write { _ = try $0.save([LockedNote(id: id, text: "Loess")]) }
      #expect(notes.snapshot.count == id)
    }
    try other.execute("COMMIT")
    #expect(try await created.snapshot.count == 1)
  }

  @Test func `waiting for a locked table ends with the task, or after the timeout`() async throws {
    try other.execute("BEGIN; LOCK TABLE \"Item\"")
    let task = Task { [store] in
      try await ResultsController(ModelRequest<LockedItem>().order(by: \.id), in: store)
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }

    var configuration = PostgresConfiguration()
    configuration.lockTimeout = 0.1
    let impatient = try ModelStore(
      postgres: url, Schema([LockedItem.self], entities: []), configuration)
    let error = #expect(throws: StoreError.self) {
      try ResultsController(ModelRequest<LockedItem>().order(by: \.id), in: impatient)
    }
    #expect(error?.code == .busy)
    try other.execute("COMMIT")
  }

  @Test func `a program that locks several tables is not the victim of a deadlock`() async throws {
    let (notes, items) = (try await notes(), try await items())
    let writer = try AdministratorConnection(url)
    for round in 1...30 {
      try other.execute("BEGIN; LOCK TABLE \"Note\"")
      try writer.execute("UPDATE \"Item\" SET id = id + 1")
      try other.execute("LOCK TABLE \"Tag\"; LOCK TABLE \"Item\"; LOCK TABLE \"_moho_Item_tags\"")
      try other.execute("UPDATE \"Note\" SET text = '\(round)'; COMMIT")
    }
    try await store.write { _ = try $0.save([LockedNote(id: 1, text: "end")]) }
    var updates = items.updates.makeAsyncIterator()
    while try items.snapshot.model(at: RowPath(section: 0, row: 0)).id != 31 {
      _ = try await updates.next()
    }
    #expect(try notes.snapshot.model(at: RowPath(section: 0, row: 0)).text == "end")
  }

  @Test func `the listener locks the tables that lists read, and only those`() async throws {
    let log = Mutex<Set<String>>([])
    let admin = try AdministratorConnection(url)
    let (observer, subscription) = try store.observe(
      { try NoteObserver($0) },
      onCommit: { _, _, reader in
        let rows = try? admin.execute(
          """
          SELECT c.relname FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
          JOIN pg_stat_activity a ON a.pid = l.pid
          WHERE a.application_name = '_moho ' || current_schema()
            AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
            AND c.relname !~ '^_moho l'
          """)
        log.withLock { $0.formUnion((rows ?? []).compactMap { $0[0] }) }
      })
    try await store.write { writer in
      try writer.save([LockedNote(id: 2, text: "Loess")])
      try writer.save([LockedItem(id: 2, tags: [LockedTag(name: "z")])])
    }
    #expect(log.withLock { $0 } == ["Note"])
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `a write does not wait for a slow observer longer than its limit`() throws {
    let isReleased = DispatchSemaphore(value: 0)
    let (observer, subscription) = try store.observe(
      { try NoteObserver($0) }, onCommit: { _, _, _ in isReleased.wait() })
    let start = ContinuousClock.now
    try store.write { _ = try $0.save([LockedNote(id: 2, text: "Loess")]) }
    let duration = ContinuousClock.now - start
    #expect(duration >= .seconds(PostgresCommitFeed.settlingTimeout))
    #expect(duration < .seconds(PostgresCommitFeed.settlingTimeout + 10))
    isReleased.signal()
    isReleased.signal()
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `canceled writes that were committed do not wait for observers`() async throws {
    let isReleased = DispatchSemaphore(value: 0)
    let (observer, subscription) = try store.observe(
      { try NoteObserver($0) }, onCommit: { _, _, _ in isReleased.wait() })
    try await expectNoWaiting { id in
      let task = Task { [store] in
        try await store.write { _ = try $0.save([LockedNote(id: id, text: "Loess")]) }
      }
      while try other.execute("SELECT FROM \"Note\"").count < id {
        try await Task.sleep(for: .milliseconds(5))
      }
      task.cancel()
      _ = await task.result
    }
    for _ in 0..<10 { isReleased.signal() }
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `the changes of observed tables cannot be committed in two phases`() async throws {
    let server = try PostgresServer(settings: ["max_prepared_transactions=4"])
    let url = try server.emptySchema()
    let store = try ModelStore(postgres: url, Schema([LockedNote.self], entities: []))
    let other = try AdministratorConnection(url)
    func prepare(_ id: Int) throws {
      try other.execute(
        """
        BEGIN; INSERT INTO "Note" (id, text) VALUES (\(id), ''); PREPARE TRANSACTION '\(id)'
        """)
    }
    try prepare(1)
    // A list that begins later receives the commit.
    let controller = try await ResultsController(
      ModelRequest<LockedNote>().order(by: \.id), in: store)
    var updates = controller.updates.makeAsyncIterator()
    let error = #expect(throws: PostgresServer.Failure.self) { try prepare(2) }
    #expect("\(error, default: "")".contains("NOTIFY"))
    try other.execute("COMMIT PREPARED '1'")
    #expect(try await updates.next()?.after.count == 1)
  }

  @Test func `a table that was truncated after the snapshot is not read`() throws {
    let schema = try Schema([LockedNote.self], entities: [])
    let name = try #require(try other.execute("SELECT current_schema()").first?.first ?? nil)
    let log = try PostgresLogSchema(schema, schemaName: name)
    let listener = CommitListener(log) { [url] in try PostgresConnection(url) }
    _ = try listener.beginStep()
    let connection = try #require(listener.connection)
    try other.execute("TRUNCATE \"Note\"; INSERT INTO \"Note\" (id, text) VALUES (7, 'Loess')")
    let error = #expect(throws: StoreError.self) {
      try connection.query("SELECT text FROM \"Note\"")
    }
    #expect(error?.code == .busy && error?.subject == "Note")
    listener.endStep()
    _ = try listener.beginStep()
    #expect(try connection.query("SELECT text FROM \"Note\"").first?.string(0) == "Loess")
    listener.endStep()
    listener.end()
  }

  @Test(arguments: [
    ("SELECT \"id\" FROM \"Note\" n JOIN \"store\".\"Item\" i ON true", ["Note", "Item"]),
    ("SELECT '\"', \"Note\".id FROM \"Note\"", ["Note"]),
    ("SELECT \"Notes\", Item FROM x", []),
    ("SELECT * FROM \"a \"\"b\"\"\"", ["a \"b\""]),
  ])
  func `statements name their tables`(sql: String, tables: [String]) {
    let names = TableNames(["Note", "Item", "a \"b\""])
    #expect(names.tables(in: sql) == Set(tables))
  }
}

/// An observer that has read the notes.
private final class NoteObserver: Sendable {
  init(_ reader: StoreReader) throws {
    _ = try reader.postgres.connection.query("SELECT id FROM \"Note\"")
  }
}
