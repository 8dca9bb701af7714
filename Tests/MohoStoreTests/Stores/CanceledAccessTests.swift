import Campaigns
import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

/// Tests of canceled tasks that read and write a store.
@Suite(.timeLimit(.minutes(20))) struct CanceledAccessTests {
  /// What a closure does after its task is canceled.
  enum Continuation: CaseIterable {
    /// It saves a model.
    case saves
    /// It saves a model, and catches the error.
    case savesAndCatches
    /// It fetches models.
    case fetches
    /// It saves in a nested transaction, and catches the error.
    case nestsAndCatches
    /// It returns.
    case returns
    /// It runs a statement that takes hours.
    case runsForHours

    func run(_ writer: StoreWriter, in store: ModelStore) throws {
      switch self {
      case .saves: try writer.save(Episode.number(3))
      case .savesAndCatches:
        for id in 3...5 { _ = try? writer.save([Episode.number(id)]) }
      case .fetches: _ = try writer.reader.fetch(ModelRequest<Episode>())
      case .nestsAndCatches: _ = try? store.write { try $0.save(Episode.number(3)) }
      case .returns: break
      case .runsForHours: try store.execute(CanceledAccessTests.endless)
      }
    }
  }

  private static let endless = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers)
    DELETE FROM "Episode" WHERE id IN (SELECT n FROM numbers WHERE n < 0)
    """

  private let all = ModelRequest<Episode>().order(by: \.id)

  @Test(arguments: StoreMedium.allCases, Continuation.allCases)
  func aCanceledWriteIsRolledBack(_ medium: StoreMedium, _ continuation: Continuation) async throws
  {
    try await medium.withStore { store in
      try await store.write { try $0.save(Episode.number(1)) }
      var commits = try await store.commits().makeAsyncIterator()
      let cancellation = Cancellation()

      let task = Task {
        try await store.write { writer in
          try writer.save([Episode.number(1, title: "changed"), .number(2)])
          cancellation.reach()
          try continuation.run(writer, in: store)
        }
      }
      await cancellation.cancel(task)

      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await store.fetch(all) == [.number(1)])
      // The store can be used again, and observers receive only what is committed.
      try await store.write { try $0.save(Episode.number(9)) }
      #expect(try await commits.next()?.rows == ["Episode": [9]])
      #expect(try await store.fetch(all) == [.number(1), .number(9)])
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aRunningStatementIsInterrupted(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let statement = try ObservedStatement(Self.endless, in: store)
      let task = Task {
        try await store.write { writer in
          try writer.save(Episode.number(1))
          try store.execute(statement.sql)
        }
      }
      try await statement.waitUntilRunning()
      task.cancel()

      await #expect(throws: CancellationError.self) { try await task.value }
      let count = try await store.fetchCount(all)
      #expect(count == 0)
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aCanceledReadEnds(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      try await store.write { try $0.save((1...100).map { Episode.number($0) }) }
      for isOneStatement in [true, false] {
        let cancellation = Cancellation()
        let task = Task {
          try await store.read { reader in
            if isOneStatement {
              try reader.forEachBatch(of: all.batchSize(1)) { _ in cancellation.reach() }
            } else {
              cancellation.reach()
              while true { _ = try reader.fetchFirst(all) }
            }
          }
        }
        await cancellation.cancel(task)

        await #expect(throws: CancellationError.self) { try await task.value }
      }
      #expect(try await store.fetchCount(all) == 100)
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aCanceledTaskDoesNotBegin(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let isRun = Mutex(false)
      let task = Task { () async -> Void in
        while !Task.isCancelled { await Task.yield() }
        await #expect(throws: CancellationError.self) {
          try await store.write { _ in isRun.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) {
          try await store.read { _ in isRun.withLock { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await store.fetch(all) }
        await #expect(throws: CancellationError.self) { try await store.commits() }
      }
      task.cancel()
      await task.value

      #expect(!isRun.withLock { $0 })
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aCanceledWriteThatWaitsDoesNotBegin(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let first = Cancellation()
      let isRun = Mutex(false)
      let running = Task {
        try await store.write { writer in
          try writer.save(Episode.number(1))
          first.reach()
        }
      }
      let waiting = Task {
        await first.wait()
        try await store.write { _ in isRun.withLock { $0 = true } }
      }
      await first.wait()
      waiting.cancel()
      first.proceed()

      try await running.value
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(!isRun.withLock { $0 })
      #expect(try await store.fetch(all) == [.number(1)])
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aCommittedWriteIsNotUndone(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let written = Cancellation()
      let task = Task {
        let report = try await store.write { try $0.save(Episode.number(1)) }
        written.pass()
        while !Task.isCancelled { await Task.yield() }
        return report
      }
      await written.wait()
      task.cancel()

      let report = try await task.value
      #expect(report == SaveReport(inserted: 1))
      #expect(try await store.fetch(all) == [.number(1)])
    }
  }

  /// Observers run statements on the connection of the writer, whose task is
  /// canceled.
  @Test(arguments: StoreMedium.allCases)
  func observersOfACommitAreNotInterrupted(_ medium: StoreMedium) async throws {
    final class Observer: Sendable {
      let counts = Mutex<[Int?]>([])
    }
    try await medium.withStore { store in
      let task = Mutex<Task<SaveReport, any Error>?>(nil)
      let (observer, subscription) = try store.observe({ _ in Observer() }) {
        observer, _, reader in
        while task.withLock({ $0 == nil }) {}
        task.withLock { $0?.cancel() }
        let counts = (1...3).map { _ in try? reader.fetchCount(ModelRequest<Episode>()) }
        observer.counts.withLock { $0 += counts }
      }
      let write = Task { try await store.write { try $0.save(Episode.number(1)) } }
      task.withLock { $0 = write }

      #expect(try await write.value == SaveReport(inserted: 1))
      // A canceled call does not wait for observers of a server.
      while observer.counts.withLock({ $0.isEmpty }) {
        try Task.checkCancellation()
        await Task.yield()
      }
      #expect(observer.counts.withLock { $0 } == [1, 1, 1])
      withExtendedLifetime(subscription) {}
    }
  }

  /// Each task saves a few episodes, and is canceled at a random time. Either all
  /// of them are stored, and the task returns, or none is, and it throws.
  @Test(arguments: StoreMedium.allCases, 0..<Campaign.count(short: 3, full: 40))
  func aTaskWritesAllOrNothing(_ medium: StoreMedium, seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    try await medium.withStore { store in
      var tasks: [Task<Bool, any Error>] = []
      for number in 0..<40 {
        let task = Task {
          do {
            try await store.write { writer in
              for part in 0..<5 { try writer.save(Episode.number(number * 5 + part)) }
            }
            return true
          } catch is CancellationError {
            return false
          }
        }
        tasks.append(task)
        let delay = random.below(2_000)
        if random.oneIn(2) {
          Task {
            try await Task.sleep(for: .microseconds(delay))
            task.cancel()
          }
        }
      }

      var expected: Set<Int> = []
      for (number, task) in tasks.enumerated() where try await task.value {
        expected.formUnion(number * 5..<number * 5 + 5)
      }
      #expect(try await Set(store.fetch(all).map(\.id)) == expected, "seed \(seed)")
    }
  }
}

/// Cancels a task when a closure of it has reached a certain point. The closure
/// waits there for the cancellation.
private final class Cancellation: Sendable {
  private let state = Mutex((isReached: false, isDone: false))

  /// Waits, without a task, until the task is canceled.
  func reach() {
    state.withLock { $0.isReached = true }
    while !state.withLock({ $0.isDone }) { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Reports that the point is reached, and does not wait.
  func pass() { state.withLock { $0.isReached = true } }

  func wait() async {
    while !state.withLock({ $0.isReached }) { await Task.yield() }
  }

  func proceed() { state.withLock { $0.isDone = true } }

  func cancel(_ task: Task<some Sendable, any Error>) async {
    await wait()
    task.cancel()
    proceed()
  }
}

/// A statement whose execution others can observe.
private struct ObservedStatement: Sendable {
  let sql: String
  private let isRunning: @Sendable () throws -> Bool

  /// - Parameter endless: A statement that counts `n + 1`.
  init(_ endless: String, in store: ModelStore) throws {
    guard store.isOnPostgres else {
      let isReached = Reached()
      try store.writer.unsafeReentrantWrite { database in
        database.add(
          function: DatabaseFunction("reached", argumentCount: 0) { _ in
            isReached.value.withLock { $0 = true }
            return 1
          })
      }
      sql = endless.replacing("n + 1", with: "n + reached()")
      isRunning = { isReached.value.withLock { $0 } }
      return
    }
    // Other tests execute the same statement.
    let name = UUID().uuidString
    let server = try PostgresServer.shared()
    sql = "/* \(name) */ \(endless)"
    isRunning = {
      let count = """
        SELECT count(*) FROM pg_stat_activity
        WHERE state = 'active' AND pid <> pg_backend_pid() AND query LIKE '%\(name)%'
        """
      return try server.execute(count) != [["0"]]
    }
  }

  func waitUntilRunning() async throws {
    while try !isRunning() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private final class Reached: Sendable {
    let value = Mutex(false)
  }
}
