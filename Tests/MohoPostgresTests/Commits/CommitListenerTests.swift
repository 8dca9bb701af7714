import MohoMapping
import MohoRows
import PostgresTesting
import Synchronization
import Testing

@testable import MohoPostgres

/// A listener of a table, and a connection that writes to it.
struct ListenedTable {
  static let entity = Entity(
    "Card",
    attributes: [
      Attribute("id", .int64), Attribute("title", .string),
      Attribute("price", .decimal, isOptional: true), Attribute("weight", .double),
      Attribute("isNew", .boolean), Attribute("day", .date, isOptional: true),
      Attribute("code", .uuid, isOptional: true),
      Attribute("tags", .structured, isOptional: true),
      Attribute("image", .data, isOptional: true), Attribute("rank", .int16),
    ], identifiedBy: ["id"])

  let schema: Schema
  let url: String
  let writer: AdministratorConnection
  let listener: CommitListener
  let log: PostgresLogSchema

  init() throws {
    schema = try Schema([Self.entity])
    url = try PostgresServer.shared().emptySchema()
    writer = try AdministratorConnection(url)
    try writer.execute(
      """
      CREATE TABLE "Card" (
        id int8 PRIMARY KEY, title text COLLATE "C" NOT NULL, price numeric, weight float8 NOT NULL,
        "isNew" bool NOT NULL, day timestamptz, code uuid, tags jsonb, image bytea,
        rank int2 NOT NULL)
      """)
    let name = try #require(try writer.execute("SELECT current_schema()").first?.first ?? nil)
    log = try PostgresLogSchema(schema, schemaName: name)
    try writer.execute(log.create)
    listener = CommitListener(log) { [url] in try PostgresConnection(url) }
  }

  /// Reads the next step, and returns the rows with their old values.
  func step() throws -> CommitListener.Step {
    let step = try listener.beginStep()
    listener.endStep()
    return step
  }

  func insert(_ ids: ClosedRange<Int>, title: String = "Wren") throws {
    try writer.execute(
      """
      INSERT INTO "Card" SELECT i, '\(title)', 1.50, 0.5, true, '2026-01-01', NULL, '{"b":[1]}',
        '\\x00ff', 3 FROM generate_series(\(ids.lowerBound), \(ids.upperBound)) i
      """)
  }

  func fingerprints(_ ids: [Int64]) throws -> [Int64: [UInt64]] {
    let connection = try #require(listener.connection)
    return try PostgresSession.run(on: connection, schema) {
      try $0.fingerprints(of: ids, in: log.tables[0].table)
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct CommitListenerTests {
  @Test func `a listener on a primary server needs no polling`() throws {
    let table = try ListenedTable()
    #expect(!table.listener.needsPolling)

    _ = try table.step()
    #expect(!table.listener.needsPolling)

    table.listener.disconnect()
    #expect(!table.listener.needsPolling)
  }

  @Test func `old values have the fingerprints of the rows before the commit`() throws {
    let table = try ListenedTable()
    try table.insert(1...3)
    try table.insert(4...4, title: String(repeating: "long ", count: 100))
    #expect(try table.step().isEmpty)
    let before = try table.fingerprints([1, 2, 3, 4])

    try table.writer.execute(
      """
      UPDATE "Card" SET rank = 5 WHERE id IN (1, 4); UPDATE "Card" SET title = 'Owl' WHERE id = 1;
      DELETE FROM "Card" WHERE id = 2; UPDATE "Card" SET title = title WHERE id = 3
      """)

    let step = try table.step()
    let rows = try #require(step.changes["Card"])
    #expect(step.isComplete)
    #expect(
      rows.before == [1: .row(before[1]!), 2: .row(before[2]!), 4: .row(before[4]!)])
    let after = try table.fingerprints([1, 4])
    #expect(zip(after[1]!, before[1]!).map { $0 != $1 }.firstIndex(of: true) == 1)
    #expect(after[4]!.dropLast() == before[4]!.dropLast())
    #expect(try table.step().isEmpty)
  }

  @Test func `a changed identity is a deletion and an insertion`() throws {
    let table = try ListenedTable()
    try table.insert(1...2)
    _ = try table.step()
    try table.writer.execute("UPDATE \"Card\" SET id = id + 10 WHERE id = 2")
    let rows = try #require(try table.step().changes["Card"])
    #expect(Set(rows.before.keys) == [2, 12])
    #expect(rows.before[12] == .absent)
  }

  @Test func `rows of truncated tables are unknown`() throws {
    let table = try ListenedTable()
    try table.insert(1...3)
    _ = try table.step()
    try table.writer.execute("BEGIN; UPDATE \"Card\" SET rank = 9 WHERE id = 1; TRUNCATE \"Card\"")
    try table.insert(1...2)
    try table.writer.execute("COMMIT")
    let rows = try #require(try table.step().changes["Card"])
    #expect(!rows.isComplete)
    #expect(rows.before[1] != .unknown)
    #expect(rows.before[2] == .unknown)
  }

  @Test func `statements that write many rows record identities only`() throws {
    let table = try ListenedTable()
    _ = try table.step()
    try table.insert(1...20_000)
    let inserted = try #require(try table.step().changes["Card"])
    #expect(inserted.isComplete && inserted.contains(1) && inserted.contains(20_000))
    try table.writer.execute("UPDATE \"Card\" SET rank = 9 WHERE id > 1000")
    let updated = try #require(try table.step().changes["Card"])
    #expect(updated.before.count == 19_000)
    #expect(updated.before[20_000] == .unknown)
    try table.writer.execute("DELETE FROM \"Card\"")
    #expect(try table.step().changes["Card"]?.before.count == 20_000)
  }

  @Test func `each commit is found once, in spite of transactions that overlap`() throws {
    let table = try ListenedTable()
    let other = try AdministratorConnection(table.url)
    try table.insert(1...4)
    _ = try table.step()
    try other.execute("BEGIN; UPDATE \"Card\" SET rank = 8 WHERE id = 1")
    try table.writer.execute("UPDATE \"Card\" SET rank = 8 WHERE id = 2")
    #expect(try table.step().changes["Card"]?.before.keys.sorted() == [2])
    try table.writer.execute("UPDATE \"Card\" SET rank = 8 WHERE id = 3")
    try other.execute("UPDATE \"Card\" SET rank = 8 WHERE id = 4; COMMIT")
    #expect(try table.step().changes["Card"]?.before.keys.sorted() == [1, 3, 4])
    #expect(try table.step().isEmpty)
  }

  @Test func `a transaction that wrote before the listener began is not missed`() async throws {
    let table = try ListenedTable()
    try table.insert(1...2)
    let other = try AdministratorConnection(table.url)
    let third = try AdministratorConnection(table.url)
    try other.execute("BEGIN; UPDATE \"Card\" SET rank = 8 WHERE id = 1")
    try third.execute("BEGIN; UPDATE \"Card\" SET rank = 8 WHERE id = 2")
    #expect(try table.step().isEmpty)
    #expect(table.listener.hasUnannouncedTransactions)
    try third.execute("ROLLBACK")
    #expect(try table.step().isEmpty)
    try other.execute("COMMIT")
    #expect(try !table.step().isComplete)
    // Transactions of other tests are in progress, too.
    try await wait {
      let step = try table.step()
      #expect(step.isEmpty)
      return !table.listener.hasUnannouncedTransactions
    }
    #expect(try table.step().isEmpty)
  }

  @Test func `the log does not have all commits while an older writer is in progress`() throws {
    let table = try ListenedTable()
    try table.insert(1...1)
    let other = try AdministratorConnection(table.url)
    try other.execute("BEGIN; UPDATE \"Card\" SET rank = 8 WHERE id = 1")

    _ = try table.step()

    #expect(!table.listener.recordsAllCommits)
    try other.execute("ROLLBACK")
  }

  @Test func `a transaction with an old snapshot is logged`() throws {
    let table = try ListenedTable()
    try table.insert(1...2)
    let other = try AdministratorConnection(table.url)
    try other.execute("BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT * FROM \"Card\"")
    #expect(try table.step().isEmpty)
    try other.execute("UPDATE \"Card\" SET rank = 8 WHERE id = 1; COMMIT")
    let step = try table.step()
    #expect(step.isComplete && step.changes["Card"]?.before.keys.sorted() == [1])
  }

  @Test func `nothing is logged without a listener`() throws {
    let table = try ListenedTable()
    try table.insert(1...2)
    _ = try table.step()
    try table.insert(3...4)
    #expect(try count(table.log.log, table) == 2)
    table.listener.end()
    #expect(try count(table.log.log, table) == 0)
    try table.insert(5...6)
    #expect(try count(table.log.log, table) == 0)
  }

  @Test func `changes that no listener needs are deleted`() async throws {
    let table = try ListenedTable()
    let second = CommitListener(table.log) { [url = table.url] in try PostgresConnection(url) }
    _ = try table.step()
    _ = try second.beginStep()
    second.endStep()
    try table.insert(1...4)
    _ = try table.step()
    _ = try table.listener.renew()
    #expect(try count(table.log.log, table) == 4)
    #expect(try second.beginStep().changes["Card"]?.before.count == 4)
    second.endStep()
    // While other transactions of the server run, later changes are retained.
    try await wait {
      for listener in [second, table.listener] {
        _ = try listener.beginStep()
        listener.endStep()
        _ = try listener.renew()
      }
      return try count(table.log.log, table) == 0
    }
  }

  @Test func `a listener that was disconnected receives what it has missed`() throws {
    let table = try ListenedTable()
    try table.insert(1...2)
    _ = try table.step()
    table.listener.disconnect()
    try table.writer.execute("UPDATE \"Card\" SET rank = 8 WHERE id = 1")
    let step = try table.step()
    #expect(step.isComplete && step.changes["Card"]?.before.keys.sorted() == [1])
  }

  @Test func `a lost connection is released although no other can be opened`() throws {
    let table = try ListenedTable()
    let isReachable = Mutex(true)
    let listener = CommitListener(table.log) { [url = table.url] in
      guard isReachable.withLock({ $0 }) else {
        throw StoreError(.cannotConnect, reason: "the server is restarting")
      }
      return try PostgresConnection(url)
    }
    _ = try listener.beginStep()
    listener.endStep()
    let connection = try #require(listener.connection)
    try table.writer.execute("SELECT pg_terminate_backend(\(connection.processID), 10000)")
    #expect(throws: StoreError.self) { try connection.query("SELECT 1") }
    isReachable.withLock { $0 = false }

    #expect(throws: StoreError.self) { try listener.beginStep() }

    let isReleased = listener.connection == nil
    #expect(isReleased)
  }

  @Test func `a listener that polled waits for notifications after its entry was lost`() throws {
    let table = try ListenedTable()
    _ = try table.step()
    try table.listener.setPolling(true)
    #expect(table.listener.isPolling)
    try table.writer.execute("DELETE FROM \(table.log.listeners)")

    #expect(try !table.step().isComplete)

    #expect(!table.listener.isPolling)
  }

  @Test func `a listener whose entry has expired reads everything again`() throws {
    let table = try ListenedTable()
    _ = try table.step()
    #expect(try table.listener.renew())
    try table.writer.execute("UPDATE \(table.log.listeners) SET expires = now() - interval '1 s'")
    #expect(try !table.listener.renew())
    #expect(try !table.step().isComplete)
    #expect(try table.step().isEmpty)
    try table.writer.execute("DELETE FROM \(table.log.listeners)")
    #expect(try !table.step().isComplete)
    #expect(try table.step().isEmpty)
  }

  @Test func `commits are found without notifications while all listeners poll`() async throws {
    let table = try ListenedTable()
    try table.insert(1...3)
    _ = try table.step()
    let ear = try PostgresConnection(table.url)
    try ear.execute("LISTEN \(quotedName(table.log.channel))")
    // The server delivers a notification before it confirms the commit. Its process that listens
    // sends it before the result of the second statement.
    func isNotified() throws -> Bool {
      for _ in 0..<2 { try ear.execute("") }
      return ear.takeNotifications()
    }
    func update(_ id: Int, on connection: AdministratorConnection) throws {
      try connection.execute("UPDATE \"Card\" SET rank = rank + 1 WHERE id = \(id)")
    }
    try update(1, on: table.writer)
    #expect(try isNotified())

    try table.listener.setPolling(true)
    try update(1, on: table.writer)
    #expect(try !isNotified())
    #expect(try table.step().changes["Card"]?.before.keys.sorted() == [1])
    let other = try AdministratorConnection(table.url)
    try other.execute("BEGIN")
    try update(2, on: other)

    // A listener that waits for notifications makes all transactions notify.
    let second = CommitListener(table.log) { [url = table.url] in try PostgresConnection(url) }
    #expect(try second.beginStep().isEmpty)
    second.endStep()
    #expect(second.hasUnannouncedTransactions)
    try update(1, on: table.writer)
    #expect(try isNotified())
    try second.setPolling(true)
    try update(1, on: table.writer)
    #expect(try !isNotified())
    try second.setPolling(false)
    try update(1, on: table.writer)
    #expect(try isNotified())
    try second.setPolling(true)
    second.end()
    try update(1, on: table.writer)
    #expect(try !isNotified())

    try table.listener.setPolling(false)
    #expect(try table.step().changes["Card"]?.before.keys.sorted() == [1])
    #expect(table.listener.hasUnannouncedTransactions)
    try other.execute("COMMIT")
    #expect(try !isNotified())
    #expect(try table.step().changes["Card"]?.before.keys.sorted() == [2])
    try await wait {
      _ = try table.step()
      return !table.listener.hasUnannouncedTransactions
    }
    try update(3, on: table.writer)
    #expect(try isNotified())
  }

  @Test func `writers delete the log after all listeners were lost`() async throws {
    let table = try ListenedTable()
    _ = try table.step()
    try table.insert(1...2_500)
    for id in 1...2_500 where id % 2 == 0 {
      try table.writer.execute("DELETE FROM \"Card\" WHERE id = \(id)")
    }
    #expect(try count(table.log.log, table) == 3_750)
    // The process of the listener was killed a minute ago.
    let (end, listeners) = (table.log.end, table.log.listeners)
    try table.writer.execute(
      """
      UPDATE \(listeners) SET expires = now() - interval '1 s';
      SELECT setval('\(end)', extract(epoch FROM clock_timestamp())::int8 - 1)
      """)
    let other = try AdministratorConnection(table.url)
    try other.execute("BEGIN; UPDATE \"Card\" SET rank = 4 WHERE id = 1")
    // Changes remain while older transactions of other tests are in progress.
    try await wait {
      try table.writer.execute("UPDATE \"Card\" SET rank = 4 WHERE id = 3")
      return try count(table.log.log, table) <= 1_000
    }
    #expect(try count(table.log.log, table) == 1_000)
    // A listener that begins does not wait for a writer that deletes changes.
    #expect(try table.step().isComplete == false)
    try other.execute("COMMIT")
    try await wait {
      _ = try table.step()
      _ = try table.listener.renew()
      return try count(table.log.log, table) == 0
    }
  }

  @Test func `the objects are created once and removed completely`() throws {
    let table = try ListenedTable()
    #expect(try table.writer.execute(table.log.isCurrent) == [["t"]])
    try table.writer.execute(table.log.create)
    try table.writer.execute(table.log.dropTriggers())
    #expect(try table.writer.execute(table.log.isCurrent) == [["f"]])
    try table.writer.execute(table.log.create)
    #expect(try table.writer.execute(table.log.isCurrent) == [["t"]])
  }

  @Test func `a marked log makes listeners read everything again`() throws {
    let table = try ListenedTable()
    _ = try table.step()
    try table.writer.execute(table.log.markEverythingChanged)
    #expect(try !table.step().isComplete)
  }

  @Test func `the encoding of the writer does not matter`() throws {
    let table = try ListenedTable()
    try table.insert(1...1, title: "Bläßhuhn")
    _ = try table.step()
    let before = try table.fingerprints([1])
    try table.writer.execute("SET client_encoding = 'LATIN1'; SET bytea_output = 'escape'")
    try table.writer.execute("DELETE FROM \"Card\"")
    #expect(try table.step().changes["Card"]?.before == [1: .row(before[1]!)])
  }

  /// Waits for a condition that transactions of other tests on the server delay. These tests may
  /// need the thread.
  private func wait(until condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(2)) }
  }

  private func count(_ name: String, _ table: ListenedTable) throws -> Int {
    Int(try table.writer.execute("SELECT count(*) FROM \(name)").first?.first.flatMap { $0 } ?? "")
      ?? -1
  }
}
