import CommandTesting
import Dispatch
import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoPostgres
import MohoRows
import MohoSQLite
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

/// Tests of stores that are closed while others use them.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct ClosingTests {
  private let all = ModelRequest<Episode>().order(by: \.id)

  /// A database that can be opened several times.
  private struct StoreFixture {
    let folder: TemporaryFolder
    let url: String

    init() throws {
      folder = try TemporaryFolder()
      url = TestedEngine.current == .postgres ? try PostgresServer.shared().emptySchema() : ""
    }

    func open() throws -> ModelStore {
      if url.isEmpty {
        return try ModelStore(path: folder.path("store.sqlite"), models: Episode.self)
      }
      return try ModelStore(postgres: url, models: Episode.self)
    }
  }

  /// A number that tasks share.
  private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.add(1, ordering: .relaxed) }
  }

  private func expectClosed(_ body: () async throws -> Void) async {
    let error = await #expect(throws: StoreError.self) { try await body() }
    #expect(error?.code == .closed)
    #expect(
      error?.description == """
        the store is closed: the call began after `close`; \
        open the store again, or end its users before closing it
        """)
  }

  /// Runs a closure that blocks on a thread of its own.
  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) -> Task<Result, any Error> {
    Task {
      try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
      }
    }
  }

  /// Waits until a store refuses calls.
  private func waitUntilClosing(_ store: ModelStore) async throws {
    while true {
      do {
        try await store.read { _ in }
      } catch let error as StoreError where error.code == .closed { return }
    }
  }

  @Test func callsOfAClosedStoreThrow() async throws {
    let store = try emptyStore(Episode.self)
    let all = all
    let context = EditingContext(store)

    try await store.close()

    await expectClosed { try await store.read { _ in } }
    await expectClosed { try await store.write { _ in } }
    await expectClosed { try await store.write(author: "a") { _ in } }
    await expectClosed { _ = try await store.fetch(all) }
    await expectClosed { _ = try await store.commits() }
    await expectClosed { try Self.read(store) }
    await expectClosed { try Self.write(store) }
    await expectClosed { _ = try Self.commits(of: store) }
    await expectClosed { _ = try context.fetch(all) }
  }

  private static func read(_ store: ModelStore) throws { try store.read { _ in } }
  private static func write(_ store: ModelStore) throws { try store.write { _ in } }
  private static func close(_ store: ModelStore) throws { try store.close() }
  private static func commits(of store: ModelStore) throws -> StoreCommits { try store.commits() }

  @Test func closingTwiceHasNoEffect() async throws {
    let database = try StoreFixture()
    let store = try database.open()

    try await store.close()
    try await store.close()
    try Self.close(store)

    await expectClosed { try Self.read(store) }
    withExtendedLifetime(database) {}
  }

  @Test func aRunningWriteIsCommitted() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let (begun, signal) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)

    let write = onThread {
      try store.write { writer in
        signal.finish()
        mayEnd.wait()
        return try writer.save(Episode.number(1))
      }
    }
    for await _ in begun {}
    let isClosed = Counter()
    let closing = Task {
      try await store.close()
      isClosed.increment()
    }
    try await waitUntilClosing(store)
    let wasClosed = isClosed.value > 0
    mayEnd.signal()

    #expect(!wasClosed)
    #expect(try await write.value == SaveReport(inserted: 1))
    try await closing.value
    #expect(try await database.open().fetch(all) == [.number(1)])
  }

  @Test func callsInARunningTransactionAreNotRefused() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let (begun, signal) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    let all = all

    let write = onThread {
      try store.write { writer in
        signal.finish()
        mayEnd.wait()
        try store.write { try $0.save(Episode.number(1)) }
        return try store.read { try $0.fetchCount(all) } + store.fetch(all).count
      }
    }
    for await _ in begun {}
    let closing = Task { try await store.close() }
    try await waitUntilClosing(store)
    mayEnd.signal()

    #expect(try await write.value == 2)
    try await closing.value
    #expect(try await database.open().fetch(all) == [.number(1)])
  }

  @Test func writesThatWaitForTheirTurnAreCommitted() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let (begun, signal) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)

    let first = onThread {
      try store.write { _ in
        signal.finish()
        mayEnd.wait()
      }
    }
    for await _ in begun {}
    let started = Counter()
    let others = (1...8).map { id in
      Task {
        started.increment()
        return try await store.write { try $0.save(Episode.number(id)) }
      }
    }
    while started.value < others.count { await Task.yield() }
    let closing = Task { try await store.close() }
    try await waitUntilClosing(store)
    mayEnd.signal()

    try await first.value
    // A call that has not begun when the store is closed is refused.
    var saved: [Episode] = []
    for (id, other) in zip(1..., others) {
      do {
        #expect(try await other.value == SaveReport(inserted: 1))
        saved.append(.number(id))
      } catch let error as StoreError { #expect(error.code == .closed) }
    }
    try await closing.value
    #expect(try await database.open().fetch(all) == saved)
  }

  @Test func noAcknowledgedWriteIsLostUnderLoad() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let begun = Counter()

    let writers = (0..<4).map { writer in
      Task {
        var acknowledged: [Int] = []
        for number in 0... {
          let id = writer * 1_000_000 + number
          do {
            if writer.isMultiple(of: 2) {
              try await store.write { try $0.save(Episode.number(id)) }
            } else {
              _ = try await onThread { try store.write { try $0.save(Episode.number(id)) } }.value
            }
            acknowledged.append(id)
            begun.increment()
          } catch let error as StoreError {
            #expect(error.code == .closed)
            break
          }
        }
        return acknowledged
      }
    }
    while begun.value < 20 { await Task.yield() }
    try await store.close()
    var acknowledged: [Int] = []
    for writer in writers { acknowledged += try await writer.value }

    #expect(acknowledged.count >= 20)
    #expect(try await database.open().fetch(all).map(\.id) == acknowledged.sorted())
  }

  @Test func closingInATransactionThrows() throws {
    let store = try emptyStore(Episode.self)

    for error in [
      #expect(throws: StoreError.self) { try store.write { _ in try store.close() } },
      #expect(throws: StoreError.self) {
        try store.write { _ in try store.read { _ in try store.close() } }
      },
    ] {
      #expect(
        error?.description == """
          invalid request: a transaction cannot close its store; \
          close it after the closure has returned
          """)
    }
    try store.write { try $0.save(Episode.number(1)) }
  }

  @Test func commitsEndAfterTheLastOne() async throws {
    let store = try emptyStore(Episode.self)
    var commits = try await store.commits().makeAsyncIterator()

    try await store.write { try $0.save([Episode.number(1), .number(2)]) }
    try await store.close()

    #expect(try await commits.next()?.rows == ["Episode": [1, 2]])
    #expect(try await commits.next() == nil)
    #expect(try await commits.next() == nil)
  }

  @Test func aCanceledClosingRefusesCalls() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let (begun, signal) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)

    let write = onThread {
      try store.write { _ in
        signal.finish()
        mayEnd.wait()
      }
    }
    for await _ in begun {}
    let closing = Task { try await store.close() }
    try await waitUntilClosing(store)
    closing.cancel()

    await #expect(throws: CancellationError.self) { try await closing.value }
    await expectClosed { try await store.read { _ in } }
    mayEnd.signal()
    try await write.value
    try await store.close()
    withExtendedLifetime(database) {}
  }

  @Test(.engine(.postgres)) func theConnectionsAreClosed() async throws {
    let server = try PostgresServer.shared()
    _ = try server.execute("CREATE DATABASE closing")
    func connections() throws -> String? {
      try server.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = 'closing'")[0][0]
    }
    let store = try await ModelStore(
      postgres: server.url(database: "closing"), models: PlainEpisode.self)
    let commits = try await store.commits()
    try await store.write { try $0.save(PlainEpisode(id: 1)) }
    #expect(try await store.fetchCount(ModelRequest<PlainEpisode>()) == 1)
    // One writes, one reads and one follows commits.
    #expect(try connections() == "3")

    try await store.close()

    // Processes of the server end a moment later.
    while try connections() != "0" { await Task.yield() }
    withExtendedLifetime(commits) {}
  }

  private struct PlainEpisode: MappedModel {
    var id: Int

    static let mapping = Mapping("Episode", PlainEpisode.init, .key("id", \.id, .unique))
  }

  @Test(.engine(.sqlite)) func theFileIsClosed() async throws {
    let database = try StoreFixture()
    let store = try database.open()
    let log = database.folder.path("store.sqlite-wal")
    let commits = try await store.commits()
    try await store.write { try $0.save(Episode.number(1)) }
    // An update reports the former values, too.
    try await store.write { try $0.save(Episode.number(1, title: "new")) }
    #expect(FileManager.default.fileExists(atPath: log))

    try await store.close()

    // A connection removes the log when it is closed, if no other connection is open.
    let other = try DatabaseQueue(path: database.folder.path("store.sqlite"))
    #expect(try await other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Episode") } == 1)
    try other.close()
    #expect(!FileManager.default.fileExists(atPath: log))
    withExtendedLifetime(database) {}
    withExtendedLifetime(commits) {}
  }
}
