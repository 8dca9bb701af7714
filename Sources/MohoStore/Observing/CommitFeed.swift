import Dispatch
import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// Tells subscribers of every commit to a store, in the order of commits.
///
/// Commits of this connection are seen by a transaction observer, whoever made
/// them: models, GRDB, raw SQL, triggers, cascades. Those of others are looked
/// for after each commit, and at an interval in between.
// `@unchecked`: `recorder` and `elsewhere` are touched on the writer's
// queue alone, where GRDB calls transaction observers and where the methods
// that take a `Database` run. The rest is constant or guarded by its mutex.
final class CommitFeed: @unchecked Sendable {
  typealias Subscriber = @Sendable (Result<CommittedChanges, any Error>, StoreReader) -> Void

  private struct State {
    /// In the order in which they subscribed.
    var subscribers: [(id: Int, tell: Subscriber)] = []
    var nextID = 0
    var isLooking = false
    var lookout: Lookout?
  }

  private let progress = CommitProgress()
  private let writer: any DatabaseWriter
  private let schema: Schema
  private let tables: Set<String>
  private let interval: TimeInterval?
  private let hook: PreupdateHook?
  private let watchesLog: Bool
  private let state = Lock(State())
  private var recorder: WriteRecorder?
  private let elsewhere: CommitsElsewhere

  init(
    writer: any DatabaseWriter, schema: Schema, interval: TimeInterval?, watchesLog: Bool,
    hook: PreupdateHook?
  ) {
    self.hook = hook
    self.watchesLog = watchesLog
    self.writer = writer
    self.schema = schema
    tables = Set(schema.entities.map(\.name) + schema.linkTables.map(\.name))
    self.interval = interval.flatMap { $0.isFinite ? $0 : nil }
    elsewhere = CommitsElsewhere(schema, holdsStates: self.interval != nil)
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
        elsewhere.forget()
        // Behind the recorder, which is told of commits before it is asked.
        database.remove(transactionObserver: self)
        database.add(transactionObserver: self, extent: .observerLifetime)
      }
      recorder?.discardAbandonedRows()
      let observer = try elsewhere.inNewestState(of: database) { found in
        // Rows that earlier subscribers know of are theirs to hear of first.
        tell([:], found, database)
        return try StoreSession.run(on: database, schema) {
          try initial(StoreReader(session: $0))
        }
      }
      let subscriber: Subscriber = { [weak observer] changes, reader in
        guard let observer else { return }
        subscriber(observer, changes, reader)
      }
      let id = add(subscriber, log: watchesLog ? elsewhere.log : nil)
      return (observer, CommitSubscription(feed: self, id: id))
    }
  }

  /// Whether there is a subscriber.
  var isSubscribed: Bool { state.withLock { !$0.subscribers.isEmpty } }

  fileprivate func remove(_ id: Int) {
    let isLast = state.withLock { state in
      state.subscribers.removeAll { $0.id == id }
      if state.subscribers.isEmpty { state.lookout = nil }
      return state.subscribers.isEmpty
    }
    guard isLast else { return }
    // A state that is held keeps the log from beginning anew.
    writer.asyncWriteWithoutTransaction { [weak self] _ in
      guard let self, !isSubscribed else { return }
      elsewhere.forget()
    }
  }

  private func add(_ subscriber: @escaping Subscriber, log: String?) -> Int {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.subscribers.append((state.nextID, subscriber))
      if let interval, state.lookout == nil {
        state.lookout = Lookout(interval: interval, log: log) { [weak self] in
          self?.lookElsewhere()
        }
      }
      return state.nextID
    }
  }

  /// Looks for commits elsewhere, unless a look is under way.
  func lookElsewhere() {
    guard
      state.withLock({ state in
        defer { state.isLooking = true }
        return !state.isLooking
      })
    else { return }
    writer.asyncWriteWithoutTransaction { [weak self] database in
      guard let self else { return }
      state.withLock { $0.isLooking = false }
      if isSubscribed, !database.isInsideTransaction { report([:], database) }
    }
  }

  /// Waits until subscribers have received all commits that have begun. Must
  /// not be called where they receive them.
  func waitForCommits() {
    if progress.isDone { return }
    // SQLite rolls a transaction back whose commit fails, and GRDB reports that
    // to no observer.
    writer.asyncWriteWithoutTransaction { [progress] database in
      if !database.isInsideTransaction { progress.end() }
    }
    progress.wait()
  }

  /// Tells subscribers of what has been committed, here and elsewhere.
  private func report(_ tables: [String: WrittenRows], _ database: Database) {
    recorder?.discardAbandonedRows()
    do {
      try withStoreErrors(on: nil) {
        try elsewhere.inNewestState(of: database) { tell(tables, $0, database) }
      }
    } catch {
      notify(.failure(error), database)
    }
  }

  /// Tells subscribers of what has been committed: here, as has been recorded,
  /// and elsewhere.
  private func tell(
    _ tables: [String: WrittenRows], _ found: CommitsElsewhere.Found, _ database: Database
  ) {
    let changes: CommittedChanges
    switch found {
    case .nothing: changes = CommittedChanges(tables: tables, isComplete: true)
    case .rows(let tables): changes = CommittedChanges(tables: tables, isComplete: true)
    case .anything:
      recorder?.forgetColumns()
      changes = CommittedChanges(tables: tables, isComplete: false)
    }
    if changes.isComplete && changes.tables.isEmpty { return }
    notify(.success(changes), database)
  }

  private func notify(_ changes: Result<CommittedChanges, any Error>, _ database: Database) {
    let subscribers = state.withLock { $0.subscribers }
    StoreSession.run(on: database, schema) { session in
      for subscriber in subscribers { subscriber.tell(changes, StoreReader(session: session)) }
    }
  }
}

extension CommitFeed: TransactionObserver {
  /// None: the recorder keeps them.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseWillCommit() { progress.begin() }

  func databaseDidCommit(_ database: Database) {
    defer { progress.end() }
    guard isSubscribed else { return }
    recorder?.isTelling = true
    defer { recorder?.isTelling = false }
    report((recorder?.committed ?? [:]).filter { tables.contains($0.key) }, database)
  }

  func databaseDidRollback(_ database: Database) { progress.end() }
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
    try withStoreErrors(on: path) { try commitFeed.subscribe(initial, onCommit) }
  }
}
