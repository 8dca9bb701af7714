import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// Reports every commit to a store to subscribers, in commit order.
///
/// A transaction observer reports the commits of this connection: by models,
/// GRDB, raw SQL, triggers or cascades. Commits of other connections are
/// detected after each commit and periodically.
// `@unchecked`: `recorder` and `external` are used only on the writer's queue,
// where GRDB calls transaction observers and where the methods with a
// `Database` parameter run. The other properties are constants or guarded by
// their lock.
final class CommitFeed: @unchecked Sendable {
  typealias Subscriber = @Sendable (Result<CommittedChanges, any Error>, StoreReader) -> Void

  private struct State {
    /// The subscribers, in subscription order.
    var subscribers: [(id: Int, report: Subscriber)] = []
    var nextID = 0
    var isChecking = false
    var monitor: ExternalCommitMonitor?
  }

  private let progress = CommitProgress()
  private let writer: any DatabaseWriter
  private let statements: SchemaStatements
  private let tables: Set<String>
  private let interval: TimeInterval?
  private let hook: PreupdateHook?
  private let watchesLog: Bool
  private let instruments: StoreInstruments
  private let state = Lock(State())
  private var recorder: WriteRecorder?
  private let external: ExternalCommitDetector

  init(
    writer: any DatabaseWriter, statements: SchemaStatements, interval: TimeInterval?,
    watchesLog: Bool, hook: PreupdateHook?, instruments: StoreInstruments
  ) {
    self.instruments = instruments
    self.hook = hook
    self.watchesLog = watchesLog
    self.writer = writer
    self.statements = statements
    let schema = statements.schema
    tables = Set(schema.compiled.tables.map(\.name))
    self.interval = interval.flatMap { $0.isFinite ? $0 : nil }
    external = ExternalCommitDetector(schema, usesSnapshots: self.interval != nil)
  }

  /// Creates an observer of the current state and subscribes it to all later
  /// commits. See `ModelStore.observe(_:onCommit:)`.
  func subscribe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    _ subscriber:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    /// The transaction must have the state of the last commit that was reported.
    func begin(in database: Database) throws -> (Observer, CommitSubscription) {
      let observer = try callingSubscribers {
        try SQLiteSession.run(on: database, statements) { try initial(StoreReader(session: $0)) }
      }
      let subscriber: Subscriber = { [weak observer] changes, reader in
        guard let observer else { return }
        subscriber(observer, changes, reader)
      }
      let id = add(subscriber, log: watchesLog ? external.log : nil)
      return (observer, CommitSubscription { self.remove(id) })
    }
    return try writer.unsafeReentrantWrite { database in
      if database.isInsideTransaction {
        // The caller is a subscriber that is receiving a commit.
        if recorder?.callingFeed == ObjectIdentifier(self) { return try begin(in: database) }
        throw StoreError.uncommittedTransaction
      }
      if !isSubscribed {
        let recorder = WriteRecorder.recorder(of: database, hook: hook)
        recorder.record(statements.schema, for: self, in: database)
        self.recorder = recorder
        external.forget()
        // Add it after the recorder, which must receive commits first.
        database.remove(transactionObserver: self)
        database.add(transactionObserver: self, extent: .observerLifetime)
      }
      recorder?.discardAbandonedRows()
      return try external.readLatestState(of: database) { found in
        // Earlier subscribers receive pending changes first.
        report([:], found, database)
        return try begin(in: database)
      }
    }
  }

  /// Runs a closure that calls subscribers.
  private func callingSubscribers<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let recorder else { return try body() }
    return try recorder.calling(by: self, body)
  }

  /// Whether the feed has subscribers.
  var isSubscribed: Bool { state.withLock { !$0.subscribers.isEmpty } }

  private func remove(_ id: Int) {
    let isLast = state.withLock { state in
      if state.subscribers.isEmpty { return false }
      state.subscribers.removeAll { $0.id == id }
      if state.subscribers.isEmpty { state.monitor = nil }
      return state.subscribers.isEmpty
    }
    guard isLast else { return }
    // SQLite cannot restart the write-ahead log while a snapshot is open.
    writer.asyncWriteWithoutTransaction { [weak self] _ in
      guard let self, !isSubscribed else { return }
      external.forget()
    }
  }

  private func add(_ subscriber: @escaping Subscriber, log: String?) -> Int {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.subscribers.append((state.nextID, subscriber))
      if let interval, state.monitor == nil {
        state.monitor = ExternalCommitMonitor(interval: interval, log: log) { [weak self] in
          self?.checkExternalCommits()
        }
      }
      return state.nextID
    }
  }

  /// Detects commits of other connections, unless another detection is running.
  func checkExternalCommits() {
    guard
      state.withLock({ state in
        defer { state.isChecking = true }
        return !state.isChecking
      })
    else { return }
    writer.asyncWriteWithoutTransaction { [weak self] database in
      guard let self else { return }
      state.withLock { $0.isChecking = false }
      if isSubscribed, !database.isInsideTransaction { report([:], database) }
    }
  }

  /// Waits until subscribers have received all commits that have begun.
  /// Subscribers must not call this method while they receive a commit.
  func waitForCommits() {
    guard let last = progress.lastUnended else { return }
    // If a commit fails, SQLite rolls back the transaction, and GRDB does not
    // report this to observers. The block runs after the commit has ended, because the commit
    // had begun before the block was queued.
    writer.asyncWriteWithoutTransaction { [progress] _ in progress.end(upTo: last) }
    progress.wait(for: last)
  }

  /// Reports commits of this connection and of others.
  private func report(_ tables: [String: RowWriteSet], _ database: Database) {
    recorder?.discardAbandonedRows()
    do {
      try withStoreErrors(on: nil) {
        try external.readLatestState(of: database) { report(tables, $0, database) }
      }
    } catch {
      notify(.failure(error), database)
    }
  }

  /// Reports recorded changes and detected changes.
  private func report(
    _ tables: [String: RowWriteSet], _ found: ExternalCommitDetector.Changes, _ database: Database
  ) {
    let changes: CommittedChanges
    switch found {
    case .none: changes = CommittedChanges(tables: tables, hasAllTables: true)
    case .rows(let tables): changes = CommittedChanges(tables: tables, hasAllTables: true)
    case .unknown:
      recorder?.forgetColumns()
      changes = CommittedChanges(tables: tables, hasAllTables: false)
    }
    if changes.hasAllTables && changes.tables.isEmpty { return }
    notify(.success(changes), database)
  }

  private func notify(_ changes: Result<CommittedChanges, any Error>, _ database: Database) {
    var changes = changes
    do {
      try statements.checkTemporaryTables(of: database)
    } catch {
      changes = .failure(error)
    }
    instruments.following(changes) { call(state.withLock { $0.subscribers }, changes, database) }
  }

  private func call(
    _ subscribers: [(id: Int, report: Subscriber)], _ changes: Result<CommittedChanges, any Error>,
    _ database: Database
  ) {
    callingSubscribers {
      SQLiteSession.unchecked(on: database, statements) { session in
        for subscriber in subscribers { subscriber.report(changes, StoreReader(session: session)) }
      }
    }
  }

  /// Reports the end of the store to subscribers, and removes them.
  func end() {
    writer.unsafeReentrantWrite { database in
      let subscribers = state.withLock { state in
        defer { (state.subscribers, state.monitor) = ([], nil) }
        return state.subscribers
      }
      guard !subscribers.isEmpty else { return }
      call(subscribers, .failure(StoreError.closedStore), database)
      external.forget()
      database.remove(transactionObserver: self)
    }
  }
}

extension CommitFeed: TransactionObserver {
  /// The feed observes no events, because the recorder observes them.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() { progress.begin() }

  func databaseDidCommit(_ database: Database) {
    defer { progress.end() }
    guard isSubscribed else { return }
    recorder?.isReporting = true
    defer { recorder?.isReporting = false }
    report((recorder?.committed ?? [:]).filter { tables.contains($0.key) }, database)
  }

  func databaseDidRollback(_ database: Database) { progress.end() }
}
