import Fixtures
import Foundation
import GRDB
import GRDBSQLite
import MohoRows
import MohoSQLite
import StoreTesting
import Synchronization
import Testing

@Suite struct CommitFeedTests {
  /// Records the reported commits.
  private final class Recorder: Sendable {
    let commits = Mutex<[CommittedChanges]>([])

    func record(_ commit: Result<CommittedChanges, any Error>) {
      guard let commit = try? commit.get() else { return }
      commits.withLock { $0.append(commit) }
    }

    var rows: [[Int64]] { commits.withLock { $0.map { $0.rows["Episode", default: []].sorted() } } }
  }

  private let store: ModelStore
  private let recorder: Recorder
  private let subscription: CommitSubscription

  init() throws {
    store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save((1...9).map { Episode.number($0) }) }
    (recorder, subscription) = try store.observe({ _ in Recorder() }) { recorder, commit, _ in
      recorder.record(commit)
    }
  }

  private func execute(_ sql: String) throws {
    try store.writer.write { try $0.execute(sql: sql) }
  }

  @Test func everyKindOfWriteIsReported() throws {
    try store.write { try $0.save(Episode.number(1, title: "New")) }
    try execute("UPDATE Episode SET season = 1 WHERE id < 3")
    try execute("DELETE FROM Episode WHERE id = 9")
    try execute(
      "INSERT OR REPLACE INTO Episode (id, title, kind, publishedAt, isPlayed)"
        + " VALUES (4, '', 'free', 0.0, 0)")
    try store.write { try $0.delete(ModelRequest<Episode>().filter { $0.id > 6 }) }
    try execute("DELETE FROM Episode")

    #expect(recorder.rows == [[1], [1, 2], [9], [4], [7, 8], [1, 2, 3, 4, 5, 6]])
    #expect(recorder.commits.withLock { $0.allSatisfy(\.isComplete) })
  }

  @Test func rolledBackWritesAreNotReported() throws {
    struct Refusal: Error {}
    try? store.write { writer in
      try writer.delete(ModelRequest<Episode>())
      throw Refusal()
    }
    try store.write { writer in
      try writer.save(Episode.number(2, title: "kept"))
      try? store.write { inner in
        try inner.delete(ModelRequest<Episode>())
        throw Refusal()
      }
    }

    // Changes that were rolled back to a savepoint may be reported.
    #expect(recorder.rows == [Array(1...9)])
  }

  @Test func aWriteThatChangesNothingIsNotReported() throws {
    try store.write { try $0.save(Episode.number(1)) }

    #expect(recorder.rows == [])
  }

  @Test func writesOutsideTheSchemaAreNotReported() throws {
    try execute("CREATE TEMP TABLE other (x); INSERT INTO other VALUES (1)")

    #expect(recorder.rows == [])
  }

  @Test func tablesThatSwapNamesMakeAReportIncomplete() throws {
    try execute("CREATE TABLE copy AS SELECT * FROM Episode")
    try execute("DROP TABLE Episode; ALTER TABLE copy RENAME TO Episode")

    #expect(recorder.rows == [[], []])
    #expect(recorder.commits.withLock { $0.map(\.isComplete) } == [false, false])
  }

  @Test func deletingAllRowsIsReportedForCachedStatements() throws {
    final class Counter: Sendable { let count = Mutex(0) }
    let store = try ModelStore(inMemory: Episode.self)
    func observe() throws -> (Counter, CommitSubscription) {
      try store.observe({ _ in Counter() }) { counter, _, _ in counter.count.withLock { $0 += 1 } }
    }
    func deleteAll() throws {
      try store.writer.write { database in
        try database.cachedStatement(sql: "DELETE FROM Episode").execute()
      }
    }
    _ = try observe()
    try store.write { try $0.save(Episode.number(1)) }
    try deleteAll()

    let (counter, subscription) = try observe()
    try store.write { try $0.save(Episode.number(2)) }
    try deleteAll()

    #expect(counter.count.withLock { $0 } == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func aCommitLeavesStatementsPrepared() throws {
    let (statement, before) = try store.writer.unsafeReentrantWrite { database in
      let statement = try database.cachedStatement(sql: "SELECT count(*) FROM Episode")
      return (try Int.fetchOne(statement), reprepared(statement))
    }

    try store.write { try $0.save(Episode.number(1, title: "New")) }

    #expect(recorder.rows == [[1]])
    let after = try store.writer.unsafeReentrantWrite { database in
      let statement = try database.cachedStatement(sql: "SELECT count(*) FROM Episode")
      return (try Int.fetchOne(statement), reprepared(statement))
    }
    #expect(after == (statement, before))
  }

  private func reprepared(_ statement: Statement) -> Int32 {
    sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  @Test func observersMayWriteAndObserveInTheirTurn() throws {
    final class Writer: TransactionObserver {
      let store: ModelStore
      var observed: [Any] = []
      init(_ store: ModelStore) { self.store = store }
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidRollback(_ database: Database) {}
      func databaseDidCommit(_ database: Database) {
        guard observed.count < 2 else { return }
        observed.append(1)
        _ = try? store.write { try $0.save(Episode.number(100)) }
        let pair = try? store.observe({ _ in Recorder() }) { recorder, commit, _ in
          recorder.record(commit)
        }
        if let pair { observed.append(pair) }
      }
    }
    let writer = Writer(store)
    try store.writer.add(transactionObserver: writer)

    try store.write { try $0.save(Episode.number(50)) }
    try store.write { try $0.save(Episode.number(51)) }

    #expect(recorder.rows.flatMap { $0 }.sorted() == [50, 51, 100])
    #expect(writer.observed.count == 4)
  }

  @Test func theReaderSeesTheCommittedState() throws {
    final class Counts: Sendable { let values = Mutex<[Int]>([]) }
    let (counts, subscription) = try store.observe({ _ in Counts() }) { counts, _, reader in
      let count = try? reader.fetchCount(ModelRequest<Episode>())
      counts.values.withLock { $0.append(count ?? -1) }
    }

    try store.write { try $0.save(Episode.number(10)) }
    try store.write { try $0.delete([Episode.number(1), .number(2)]) }

    #expect(counts.values.withLock { $0 } == [10, 8])
    withExtendedLifetime(subscription) {}
  }

  @Test func aSubscriptionEndsWhenItIsLetGo() throws {
    final class Counter: Sendable { let count = Mutex(0) }
    let counter: Counter
    do {
      let (observer, subscription) = try store.observe({ _ in Counter() }) { counter, _, _ in
        counter.count.withLock { $0 += 1 }
      }
      counter = observer
      try store.write { try $0.save(Episode.number(10)) }
      withExtendedLifetime(subscription) {}
    }

    try store.write { try $0.save(Episode.number(11)) }

    #expect(counter.count.withLock { $0 } == 1)
  }

  @Test func observingInsideATransactionIsRefused() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { _ in _ = try store.observe({ _ in Recorder() }) { _, _, _ in } }
    }

    #expect(error?.code == .invalidRequest)
  }

  @Test func theReaderSeesNothingThatIsCommittedMeanwhile() throws {
    final class Counts: Sendable { let values = Mutex<[Int?]>([]) }
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Episode.self)
      let other = try ModelStore(path: path, models: Episode.self)
      let all = ModelRequest<Episode>()
      let (counts, subscription) = try store.observe({ _ in Counts() }) { counts, _, reader in
        let before = try? reader.fetchCount(all)
        _ = try? other.write { try $0.save(Episode.number(2)) }
        let after = try? reader.fetchCount(all)
        counts.values.withLock { $0 += [before, after] }
      }

      try store.write { try $0.save(Episode.number(1)) }

      #expect(counts.values.withLock { Array($0.prefix(2)) } == [1, 1])
      withExtendedLifetime(subscription) {}
    }
  }
}
