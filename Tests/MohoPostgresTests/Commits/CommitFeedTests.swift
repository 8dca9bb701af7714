import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres

/// Receives the commits of a store.
final class CommitLog: Sendable {
  struct Commit: Sendable {
    var rows: [Int64] = []
    var isComplete = true
    /// The ranks of all cards after the commit.
    var ranks: [Int64: Int64] = [:]
  }

  let commits: AsyncThrowingStream<Commit, any Error>
  private let continuation: AsyncThrowingStream<Commit, any Error>.Continuation
  let initial: [Int64: Int64]
  private let received = Mutex<[Commit]>([])
  let onCommit: (@Sendable (StoreReader) throws -> Void)?

  init(_ reader: StoreReader, onCommit: (@Sendable (StoreReader) throws -> Void)? = nil) throws {
    (commits, continuation) = AsyncThrowingStream.makeStream()
    initial = try Self.ranks(reader)
    self.onCommit = onCommit
  }

  static func observing(
    _ store: ModelStore, onCommit: (@Sendable (StoreReader) throws -> Void)? = nil
  ) throws -> (CommitLog, CommitSubscription) {
    try store.observe({ try CommitLog($0, onCommit: onCommit) }) { $0.receive($1, $2) }
  }

  static func observing(_ feed: PostgresCommitFeed) throws -> (CommitLog, CommitSubscription) {
    try feed.subscribe(nil, { try CommitLog($0) }) { $0.receive($1, $2) }
  }

  static func ranks(_ reader: StoreReader) throws -> [Int64: Int64] {
    let result = try reader.postgres.connection.query("SELECT id, rank FROM \"Card\"")
    return Dictionary(uniqueKeysWithValues: result.rows.map { ($0.int64(0), $0.int64(1)) })
  }

  var all: [Commit] { received.withLock { $0 } }

  private func receive(_ changes: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    do {
      let changes = try changes.get()
      let commit = Commit(
        rows: changes.rows["Card", default: []].sorted(), isComplete: changes.isComplete,
        ranks: try Self.ranks(reader))
      received.withLock { $0.append(commit) }
      try onCommit?(reader)
      continuation.yield(commit)
    } catch {
      continuation.finish(throwing: error)
    }
  }

  /// Waits until all cards have given ranks, and returns the commits up to that.
  func next(until isLast: ([Int64: Int64]) -> Bool) async throws -> [Commit] {
    var found: [Commit] = []
    for try await commit in commits {
      found.append(commit)
      if isLast(commit.ranks) { return found }
    }
    return found
  }
}

@Suite(.requiresPostgres, .timeLimit(.minutes(20)))
struct CommitFeedTests {
  static let entity = Entity(
    "Card", attributes: [Attribute("id", .int64), Attribute("rank", .int64)],
    identifiedBy: ["id"])

  private let url: String
  private let store: ModelStore
  private let other: AdministratorConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    store = try ModelStore(postgres: url, Schema([Self.entity]))
    other = try AdministratorConnection(url)
    try other.execute("INSERT INTO \"Card\" SELECT i, 0 FROM generate_series(1, 5) i")
  }

  private func execute(_ sql: String, in store: ModelStore) throws {
    try store.write { try $0.reader.postgres.connection.execute(sql) }
  }

  @Test func `a write returns after observers have received it`() throws {
    let (log, subscription) = try CommitLog.observing(store)
    try execute("UPDATE \"Card\" SET rank = 1 WHERE id = 2", in: store)
    #expect(log.all.map(\.rows) == [[2]])
    #expect(log.all.first?.ranks == [1: 0, 2: 1, 3: 0, 4: 0, 5: 0])
    try execute("UPDATE \"Card\" SET rank = 1 WHERE id = 2", in: store)
    #expect(log.all.count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `commits of other connections are reported`() async throws {
    let (log, subscription) = try CommitLog.observing(store)
    for rank in 1...20 {
      try other.execute("UPDATE \"Card\" SET rank = \(rank) WHERE id = 3")
      let commits = try await log.next { $0[3] == Int64(rank) }
      #expect(commits.map(\.rows) == [[3]])
      #expect(commits.allSatisfy { $0.isComplete })
    }
    withExtendedLifetime(subscription) {}
  }

  @Test func `an observer reads the state of its commit while others write`() async throws {
    let (store, url) = (store, url)
    let (log, subscription) = try CommitLog.observing(store) { reader in
      let ranks = try CommitLog.ranks(reader)
      #expect(try store.read { try CommitLog.ranks($0) } == ranks)
      if ranks[1] == 1 {
        let other = try AdministratorConnection(url)
        try other.execute("UPDATE \"Card\" SET rank = 2 WHERE id = 1")
        #expect(try store.read { try CommitLog.ranks($0) } == ranks)
      }
    }
    try execute("UPDATE \"Card\" SET rank = 1 WHERE id = 1", in: store)
    let commits = try await log.next { $0[1] == 2 }
    #expect(commits.map(\.rows) == [[1], [1]])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a lost connection is replaced, and no commit is missed`() async throws {
    let (log, subscription) = try CommitLog.observing(store)
    for rank in 1...5 {
      try other.execute(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = '_moho ' || current_schema()
        """)
      try other.execute("UPDATE \"Card\" SET rank = \(rank) WHERE id = 3")
      let commits = try await log.next { $0[3] == Int64(rank) }
      #expect(commits.map(\.rows) == [[3]])
      #expect(commits.allSatisfy { $0.isComplete })
    }
    withExtendedLifetime(subscription) {}
  }

  @Test func `a short interruption is not reported`() async throws {
    let schema = try Schema([Self.entity])
    let failureCount = Mutex(0)
    let feed = try PostgresCommitFeed(
      schema, PostgresLogSchema(schema, schemaName: PostgresConnection(url).schemaName),
      instruments: PostgresEngine.newInstruments
    ) { [url] in
      let isFailing = failureCount.withLock { count in
        count -= 1
        return count >= 0
      }
      if isFailing { throw StoreError(.cannotConnect, reason: "the server is restarting") }
      let connection = try PostgresConnection(url)
      connection.schema = schema
      return connection
    }
    let (log, subscription) = try CommitLog.observing(feed)
    // A step tries twice to connect.
    failureCount.withLock { $0 = 3 }
    try other.execute(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE application_name = '_moho ' || current_schema()
      """)
    try other.execute("UPDATE \"Card\" SET rank = 1 WHERE id = 3")

    let commits = try await log.next { $0[3] == 1 }

    #expect(commits.map(\.rows) == [[3]])
    withExtendedLifetime((feed, subscription)) {}
  }

  @Test func `a feed ends polling after the last of many commits`() async throws {
    let listeners = try PostgresLogSchema(
      Schema([Self.entity]), schemaName: PostgresConnection(url).schemaName
    ).listeners
    @Sendable func isPolling(_ connection: AdministratorConnection) throws -> Bool {
      try connection.execute("SELECT bool_and(polls) FROM \(listeners)") == [["t"]]
    }
    let hasPolled = Mutex(false)
    let (log, subscription) = try CommitLog.observing(store) { [url] _ in
      let other = try AdministratorConnection(url)
      if try isPolling(other) { hasPolled.withLock { $0 = true } }
      if hasPolled.withLock({ $0 }) { return }
      // The next step finds all of them, so that the feed has fallen behind.
      for _ in 1...20 { try other.execute("UPDATE \"Card\" SET rank = rank + 1 WHERE id = 1") }
    }
    try other.execute("UPDATE \"Card\" SET rank = 1 WHERE id = 1")
    while !hasPolled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }

    while try isPolling(other) { try await Task.sleep(for: .milliseconds(2)) }

    withExtendedLifetime((log, subscription)) {}
  }

  @Test func `a commit that truncated a table is not complete`() async throws {
    let (log, subscription) = try CommitLog.observing(store)

    try await store.write { writer in
      let connection = try writer.reader.postgres.connection
      try connection.execute("UPDATE \"Card\" SET rank = 5 WHERE id = 4; TRUNCATE \"Card\"")
      let written = try writer.reader.postgres.unreportedRows(in: "Card")
      #expect(written?.isComplete == false)
    }

    let commits = try await log.next { $0.isEmpty }
    #expect(commits.last?.isComplete == false)
    withExtendedLifetime(subscription) {}
  }

  @Test func `an uncommitted transaction cannot be observed`() throws {
    #expect(throws: StoreError.self) {
      try store.write { _ in _ = try CommitLog.observing(store) }
    }
  }

  @Test func `a transaction reads its own unreported rows`() throws {
    let (log, subscription) = try CommitLog.observing(store)
    try store.write { writer in
      let session = try writer.reader.postgres
      #expect(try session.unreportedRows(in: "Card") == nil)
      try session.connection.execute("UPDATE \"Card\" SET rank = 5 WHERE id = 4")
      #expect(try session.unreportedRows(in: "Card")?.before.keys.sorted() == [4])
      #expect(
        try store.read { try $0.session.unreportedRows(in: "Card")?.before.keys.sorted() } == [4])
    }
    #expect(try store.read { try $0.session.unreportedRows(in: "Card") } == nil)
    withExtendedLifetime((log, subscription)) {}
  }

  @Test func `observers of several stores receive every commit of many writers`() async throws {
    let stores = try (0..<3).map { _ in try ModelStore(postgres: url, Schema([Self.entity])) }
    let logs = try stores.map { try CommitLog.observing($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 1...5 {
        let store = stores[id % 3]
        group.addTask { [url] in
          let other = try AdministratorConnection(url)
          for rank in 1...30 {
            let sql = "UPDATE \"Card\" SET rank = \(rank) WHERE id = \(id)"
            if rank % 2 == 0 {
              try other.execute(sql)
            } else {
              try await store.write { try $0.reader.postgres.connection.execute(sql) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for (log, subscription) in logs {
      let commits = try await log.next { $0.values.allSatisfy { $0 == 30 } }
      var ranks = log.initial
      for commit in commits {
        #expect(commit.isComplete)
        #expect(commit.ranks.filter { ranks[$0.key] != $0.value }.keys.sorted() == commit.rows)
        ranks = commit.ranks
      }
      withExtendedLifetime(subscription) {}
    }
  }
}
