import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Tells subscribers of every commit to a store, in the order of commits.
///
/// Commits of this process are seen by a transaction observer, whoever made
/// them: models, GRDB, raw SQL, triggers, cascades. Those of other processes
/// are noticed by `PRAGMA data_version`, and changed tables by `PRAGMA
/// schema_version`, which are looked at after each commit and at an interval in
/// between.
// `@unchecked`: `recorder` and `versions` are touched on the writer's
// queue alone, where GRDB calls transaction observers and where the methods
// that take a `Database` run. The rest is constant or guarded by its mutex.
final class CommitFeed: @unchecked Sendable {
  typealias Subscriber = @Sendable (Result<CommittedChanges, any Error>, StoreReader) -> Void

  private struct State {
    var subscribers: [Int: Subscriber] = [:]
    var nextID = 0
    var isLooking = false
    var timer: (any DispatchSourceTimer)?
  }

  private let writer: any DatabaseWriter
  private let schema: Schema
  private let interval: TimeInterval?
  private let hook: PreupdateHook?
  private let state = Mutex(State())
  private var recorder: WriteRecorder?
  private var versions: [Int?]?

  init(
    writer: any DatabaseWriter, schema: Schema, interval: TimeInterval?, hook: PreupdateHook?
  ) {
    self.hook = hook
    self.writer = writer
    self.schema = schema
    self.interval = interval
  }

  deinit {
    state.withLock { $0.timer }?.cancel()
  }

  /// Makes an observer of the current state and subscribes it to all commits
  /// after it; see ``ModelStore/observe(_:onCommit:)``.
  func subscribe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    _ subscriber:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    try writer.unsafeReentrantWrite { database in
      guard !database.isInsideTransaction else {
        throw StoreError(
          .invalidRequest,
          reason: "a transaction that is not yet committed cannot be observed",
          suggestion: "begin observing outside of `write`")
      }
      if !isSubscribed {
        let recorder = WriteRecorder.recorder(of: database, hook: hook)
        recorder.record(schema, for: self, in: database)
        self.recorder = recorder
        // Behind the recorder, which is told of commits before it is asked.
        database.remove(transactionObserver: self)
        database.add(transactionObserver: self, extent: .observerLifetime)
      }
      let observer = try isolated(database) {
        // Rows that earlier subscribers know of are theirs to hear of first.
        if try hasChangedUnseen(database) {
          notify(.success(CommittedChanges(tables: [:], isComplete: false)), database)
        }
        return try StoreSession.run(on: database, schema) {
          try initial(StoreReader(session: $0))
        }
      }
      let id = add { [weak observer] changes, reader in
        guard let observer else { return }
        subscriber(observer, changes, reader)
      }
      return (observer, CommitSubscription(feed: self, id: id))
    }
  }

  /// Whether there is a subscriber.
  var isSubscribed: Bool { state.withLock { !$0.subscribers.isEmpty } }

  fileprivate func remove(_ id: Int) {
    let timer: (any DispatchSourceTimer)? = state.withLock { state in
      state.subscribers[id] = nil
      guard state.subscribers.isEmpty else { return nil }
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func add(_ subscriber: @escaping Subscriber) -> Int {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.subscribers[state.nextID] = subscriber
      if state.timer == nil { state.timer = makeTimer() }
      return state.nextID
    }
  }

  private func makeTimer() -> (any DispatchSourceTimer)? {
    guard let interval, interval.isFinite else { return nil }
    let milliseconds = Int(min(max(1, interval * 1_000), 1e9))
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
    timer.setEventHandler { [weak self] in self?.lookElsewhere() }
    timer.resume()
    return timer
  }

  /// Looks for commits of other processes, unless a look is under way.
  private func lookElsewhere() {
    guard
      state.withLock({ state in
        defer { state.isLooking = true }
        return !state.isLooking
      })
    else { return }
    writer.asyncWriteWithoutTransaction { [weak self] database in
      guard let self else { return }
      state.withLock { $0.isLooking = false }
      if !database.isInsideTransaction { report([:], database) }
    }
  }

  /// Tells subscribers of what has been committed, here and elsewhere.
  private func report(_ tables: [String: WrittenRows], _ database: Database) {
    do {
      try withStoreErrors(on: nil) {
        try isolated(database) {
          let isComplete = try !hasChangedUnseen(database)
          if isComplete && tables.isEmpty { return }
          notify(.success(CommittedChanges(tables: tables, isComplete: isComplete)), database)
        }
      }
    } catch {
      notify(.failure(error), database)
    }
  }

  private func notify(_ changes: Result<CommittedChanges, any Error>, _ database: Database) {
    let subscribers = state.withLock { state in
      state.subscribers.sorted { $0.key < $1.key }.map(\.value)
    }
    StoreSession.run(on: database, schema) { session in
      for subscriber in subscribers { subscriber(changes, StoreReader(session: session)) }
    }
  }

  /// Whether rows may have changed that SQLite did not tell of: by another
  /// process, or by tables that were renamed, dropped or made.
  private func hasChangedUnseen(_ database: Database) throws -> Bool {
    let found = try ["data_version", "schema_version"].map { name in
      try Int.fetchOne(database.cachedStatement(sql: "PRAGMA \(name)"))
    }
    defer { versions = found }
    guard let versions, versions != found else { return false }
    recorder?.forgetColumns()
    return true
  }

  /// Runs a closure that only reads in one transaction.
  // By SQLite's own calls: GRDB would tell observers of the end of the
  // transaction, or be kept from it by a pragma that makes SQLite prepare all
  // statements of the connection anew.
  private func isolated<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    let connection = database.sqliteConnection
    let code = sqlite3_exec(connection, "BEGIN DEFERRED", nil, nil, nil)
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
    defer {
      if sqlite3_exec(connection, "COMMIT", nil, nil, nil) != SQLITE_OK {
        sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      }
    }
    return try body()
  }
}

extension CommitFeed: TransactionObserver {
  /// None: the recorder keeps them.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ database: Database) {
    guard isSubscribed else { return }
    let tables = Set(schema.entities.map(\.name) + schema.linkTables.map(\.name))
    report((recorder?.committed ?? [:]).filter { tables.contains($0.key) }, database)
  }

  func databaseDidRollback(_ database: Database) {}
}

/// A subscription to the commits of a store, which ends when it is let go.
package final class CommitSubscription: Sendable {
  private let feed: CommitFeed
  private let id: Int

  init(feed: CommitFeed, id: Int) {
    self.feed = feed
    self.id = id
  }

  deinit { feed.remove(id) }
}

extension ModelStore {
  /// Makes an observer of the current state, and calls it with all commits
  /// after it, for as long as it and the subscription live.
  ///
  /// It is called on the writer's queue, in the order of commits, with a reader
  /// of exactly the state that the commit left.
  ///
  /// - Throws: What the closure throws, and ``StoreError``, also where the call
  ///   is made inside a transaction.
  package func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    try withStoreErrors(on: path) { try commits.subscribe(initial, onCommit) }
  }
}
