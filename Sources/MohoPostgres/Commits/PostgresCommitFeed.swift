import Dispatch
import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// Reports every commit to a store's tables to subscribers.
///
/// A connection listens to notifications about commits of all connections and
/// processes. Each step takes a snapshot, reads the changes since the previous
/// snapshot, and calls the subscribers with a reader of exactly this snapshot.
/// Commits that one step finds are reported as one.
// `@unchecked`: `listener` and the following properties are used only on the queue.
// The others are constants or guarded by their lock.
final class PostgresCommitFeed: @unchecked Sendable {
  typealias Subscriber = @Sendable (Result<CommittedChanges, any Error>, StoreReader) -> Void

  /// An observer of the commits.
  private struct Subscription {
    let id: Int
    let report: Subscriber
    /// The tables that the observer has read.
    var tables: Set<String>
    /// The changes of commits that were not reported, because one of the tables was locked.
    var missed: CommittedChanges?
  }

  private struct State {
    /// The subscribers, in subscription order.
    var subscribers: [Subscription] = []
    var nextID = 0
    var requests = ReportRequests()
    /// The snapshot whose commits the subscribers have received, or nil if the log
    /// does not show whether there are later commits.
    var reported: PostgresSnapshot?
  }

  private let schema: Schema
  let queue = DispatchQueue(label: "moho.postgres.commits", qos: .userInitiated)
  private let queueKey = DispatchSpecificKey<ObjectIdentifier>()
  private let pollingInterval: Int
  private let state = Lock(State())

  private let listener: CommitListener
  private let log: LogReader
  private let watcher = SocketWatcher()
  /// The session of the step that is running.
  private var session: PostgresSession?
  private var isNotifying = false
  private var retries = 0
  private var isRetrying = false
  private var timerDeadline: DispatchTime?
  private var hasReportedFailure = false
  private var nextRenewal = DispatchTime.now()
  private let resultReaders = ResultReaderCache()
  private var stepCount = 0
  private let lockTimeout: TimeInterval?
  private let instruments: StoreInstruments
  private var pace = ListenerPace()
  /// The duration of the latest step in milliseconds, and its end.
  private var (stepDuration, stepEnd) = (0, DispatchTime.now())
  /// The end of the latest step after a notification or a pause.
  private var awaitedStepEnd = DispatchTime.now()
  /// The number of transactions that the latest step has found.
  private var transactionCount = 0
  /// The number of consecutive checks for transactions that do not notify.
  private var unannouncedChecks = 0

  /// The maximum number of rows whose changes are stored for a subscriber that cannot read.
  private static let missedRowLimit = 10_000

  /// The maximum number of seconds that ``settle(_:)`` waits.
  static let settlingTimeout = 5

  /// - Parameters:
  ///   - pollingInterval: The number of milliseconds between checks if the server
  ///     does not send notifications.
  ///   - lockTimeout: The number of seconds that a new observer waits for tables that others
  ///     have locked, or nil for no limit.
  ///   - connect: A closure that opens a connection.
  init(
    _ schema: Schema, _ log: PostgresLogSchema, pollingInterval: Int = 500,
    lockTimeout: TimeInterval? = nil, instruments: StoreInstruments,
    connect: @escaping @Sendable () throws -> PostgresConnection
  ) {
    self.schema = schema
    self.pollingInterval = pollingInterval
    self.lockTimeout = lockTimeout
    self.instruments = instruments
    listener = CommitListener(log, connect)
    self.log = LogReader(log)
    queue.setSpecific(key: queueKey, value: ObjectIdentifier(self))
  }

  /// Whether the feed has subscribers.
  var isSubscribed: Bool { state.withLock { !$0.subscribers.isEmpty } }

  /// Whether the caller is called by the feed, for example as a subscriber.
  var isOnQueue: Bool { DispatchQueue.getSpecific(key: queueKey) == ObjectIdentifier(self) }

  /// Whether the caller is an observer, or is creating one.
  var isInObserver: Bool { isOnQueue && (session != nil || isNotifying) }

  /// The session of the current step, for a caller on the queue.
  var currentSession: PostgresSession? { isOnQueue ? session : nil }

  /// Creates an observer of the current state and subscribes it to all later
  /// commits. See `ModelStore.observe(_:onCommit:)`.
  ///
  /// If the observer reads a table that another transaction has locked, the method waits and
  /// tries again. In the meantime, other observers receive commits.
  func subscribe<Observer: AnyObject & Sendable>(
    _ cancellation: PostgresCancellation?, _ initial: (StoreReader) throws -> Observer,
    _ subscriber:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    func subscribe(in session: PostgresSession) throws -> (Observer, CommitSubscription) {
      let (observer, reads) = try listener.locks.recordingReads {
        try initial(StoreReader(session: session))
      }
      let id = state.withLock { state in
        defer { state.nextID += 1 }
        state.subscribers.append(
          Subscription(
            id: state.nextID,
            report: { [weak observer] changes, reader in
              guard let observer else { return }
              subscriber(observer, changes, reader)
            }, tables: reads.tables))
        return state.nextID
      }
      return (observer, CommitSubscription { [weak self] in self?.remove(id) })
    }
    if isOnQueue {
      do {
        return try currentSession?.withSession(subscribe) ?? step(subscribe)
      } catch let error as LockedTables { throw error.cause }
    }
    var backoff = Backoff(timeout: lockTimeout ?? .infinity)
    while true {
      do {
        return try queue.sync { try step { try subscribe(in: $0) } }
      } catch let error where error is LockedTables || error.isLocked {
        try cancellation?.check()
        guard backoff.wait() else { throw (error as? LockedTables)?.cause ?? error }
      }
    }
  }

  private func remove(_ id: Int) {
    let isLast = state.withLock { state in
      state.subscribers.removeAll { $0.id == id }
      return state.subscribers.isEmpty
    }
    guard isLast else { return }
    // A new subscriber often follows.
    queue.asyncAfter(deadline: .now() + .seconds(1)) { self.endIfUnused() }
  }

  /// Reports the end of the store to subscribers, removes them, and ends listening.
  func end() {
    queue.sync {
      report(StoreError.closedStore)
      state.withLock { $0.subscribers = [] }
      endIfUnused()
    }
  }

  private func endIfUnused() {
    guard !isSubscribed else { return }
    watcher.stop()
    listener.end()
  }
}

extension PostgresCommitFeed {
  /// A query whose only value is whether a transaction has read a commit that the
  /// subscribers have not received. Nil if there are no subscribers, or if no query
  /// can find this out.
  var unreportedQuery: PostgresQuery? {
    get throws {
      let reported = state.withLock { $0.subscribers.isEmpty ? nil : $0.reported }
      return try reported.map { try log.hasChanges(since: $0) }
    }
  }

  /// Returns after the subscribers have received all commits so far, except those subscribers
  /// that read a table which another transaction has locked.
  ///
  /// If a subscriber calls this method, it receives the commits later. The method waits for at
  /// most ``settlingTimeout``, and not after the task of the caller is canceled.
  func settle(_ cancellation: PostgresCancellation?) {
    let request = state.withLock { state -> Int? in
      if state.subscribers.isEmpty { return nil }
      return state.requests.add()
    }
    guard let request else { return }
    if isOnQueue { return queue.async { [weak self] in self?.settle(request) } }
    let isSettled = DispatchSemaphore(value: 0)
    queue.async {
      self.settle(request)
      isSettled.signal()
    }
    let deadline = DispatchTime.now() + .seconds(Self.settlingTimeout)
    if let cancellation {
      cancellation.wait(for: isSettled, until: deadline)
    } else {
      _ = isSettled.wait(timeout: deadline)
    }
  }

  private func settle(_ request: Int) {
    // The step of another request may have begun after this one was made.
    if state.withLock({ $0.requests.isMet(request) }) { return }
    check()
  }

  /// Reports the commits since the last step, if there are any.
  private func check() {
    guard isSubscribed else { return }
    do { try step { _ in } } catch { retry(after: error) }
  }

  /// Reports the commits since the last step, after a notification or a pause.
  private func checkAwaited() {
    check()
    let interval = stepEnd.uptimeNanoseconds - awaitedStepEnd.uptimeNanoseconds
    awaitedStepEnd = stepEnd
    pace.recordStep(transactions: transactionCount, after: Int(interval / 1_000_000))
    setPace()
  }

  private func setPace() {
    guard isSubscribed, pace.isPolling != listener.isPolling else { return }
    // If this fails, the step does, too.
    do { try listener.setPolling(pace.isPolling) } catch { return check() }
    // The snapshot of the step has the transactions that have seen that the listener polled.
    if pace.isPolling { setTimer() } else { check() }
  }

  /// Reports the commits since the last step, and runs a closure that reads the same
  /// snapshot.
  private func step<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
    let (requests, begin) = state.withLock { state in
      state.reported = nil
      return state.requests.beginStep()
    }
    transactionCount = 0
    let start = DispatchTime.now()
    let step = try beginStep()
    stepCount += 1
    transactionCount = step.transactionCount
    defer {
      stepEnd = .now()
      stepDuration = Int((stepEnd.uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000)
      listener.endStep()
      let reported = listener.recordsAllCommits ? listener.snapshot : nil
      state.withLock { state in
        state.requests.meet(requests)
        state.reported = reported
      }
      listen()
    }
    guard let connection = listener.connection else {
      throw StoreError(.connectionLost, reason: "the connection was lost")
    }
    // After an error, subscribers are waiting for a state that can be read.
    if !step.isEmpty || hasReportedFailure || hasMissedCommits {
      let changes = CommittedChanges(tables: step.changes, hasAllTables: step.isComplete)
      try instruments.following(.success(changes), since: begin) {
        try notify { subscription in
          try report(changes, of: step, to: subscription, on: connection)
        }
      }
      // Some subscribers could not read. The next step makes all read again.
      if connection.isLost { listener.missChanges() }
    }
    return try run(on: connection, body)
  }

  /// Begins a step. Connects again if the connection was lost.
  private func beginStep() throws -> CommitListener.Step {
    let tables = state.withLock { state in
      state.subscribers.reduce(into: Set<String>()) { $0.formUnion($1.tables) }
    }
    do { return try listener.beginStep(reading: tables) } catch {
      let isRetryable = error.postgresError?.isRetryable ?? false
      guard listener.connection?.isLost ?? true || isRetryable else { throw error }
      if listener.connection?.isLost ?? true { watcher.stop() }
      return try listener.beginStep(reading: tables)
    }
  }

  /// Whether subscribers have not received all commits.
  private var hasMissedCommits: Bool {
    state.withLock { $0.subscribers.contains { $0.missed != nil } }
  }

  private func run<Value>(
    on connection: PostgresConnection, reporting changes: [String: RowWriteSet] = [:],
    _ body: (PostgresSession) throws -> Value
  ) throws -> Value {
    let commit = ReportedCommit(
      changes: changes, number: stepCount, resultReaders: resultReaders)
    return try PostgresSession.run(on: connection, schema, reporting: commit) { session in
      self.session = session
      defer { self.session = nil }
      return try body(session)
    }
  }

  /// Reports an error to all subscribers, which cannot read.
  private func report(_ error: any Error) {
    let failure = Result<CommittedChanges, any Error>.failure(error)
    instruments.following(failure) {
      PostgresSession.runEnded(schema) { session in
        notify { $0.report(failure, StoreReader(session: session)) }
      }
    }
  }

  /// Calls a closure with each subscription.
  private func notify(_ body: (Subscription) throws -> Void) rethrows {
    let isNested = isNotifying
    isNotifying = true
    defer { isNotifying = isNested }
    for subscription in state.withLock({ $0.subscribers }) { try body(subscription) }
  }

  /// Reports the changes of a step and those that the subscriber has missed. If a table that
  /// it reads is locked, all of them are reported later.
  private func report(
    _ changes: CommittedChanges, of step: CommitListener.Step, to subscription: Subscription,
    on connection: PostgresConnection
  ) throws {
    let hasNews = !step.isEmpty || hasReportedFailure
    if !hasNews && subscription.missed == nil { return }
    let isLocked = !subscription.tables.isDisjoint(with: step.lockedTables)
    // The subscriber has missed nothing more.
    if isLocked && !hasNews { return }
    let changes = subscription.missed?.followed(by: changes) ?? changes
    if isLocked {
      return update(subscription) { $0.missed = changes.limited(to: Self.missedRowLimit) }
    }
    try run(on: connection, reporting: changes.tables) { session in
      let reads = listener.locks.recordingReads {
        subscription.report(.success(changes), StoreReader(session: session))
      }.reads
      update(subscription) {
        $0.tables.formUnion(reads.tables)
        $0.missed = reads.failure == nil ? nil : changes
      }
      // If this fails, the connection was lost, and the next step connects again.
      try? session.recover()
    }
  }

  private func update(_ subscription: Subscription, _ change: (inout Subscription) -> Void) {
    state.withLock { state in
      guard let index = state.subscribers.firstIndex(where: { $0.id == subscription.id }) else {
        return
      }
      change(&state.subscribers[index])
    }
  }
}

extension PostgresCommitFeed {
  /// Waits for notifications, after a step.
  private func listen() {
    guard let connection = listener.connection, !connection.isLost else {
      // It may have been lost after the step.
      return retry(after: StoreError(.connectionLost, reason: "the connection was lost"))
    }
    retries = 0
    hasReportedFailure = false
    // The listener may have replaced its connection.
    if !watcher.watches(connection) {
      watcher.watch(connection, on: queue) { [weak self] in self?.receive() }
      nextRenewal = .now() + .seconds(ListenerRegistration.renewalInterval)
    }
    // The server sends notifications before the end of a transaction is
    // confirmed. They may refer to commits after the snapshot.
    if connection.takeNotifications() { queue.async { [weak self] in self?.checkAwaited() } }
    if !listener.hasUnannouncedTransactions && !hasMissedCommits { unannouncedChecks = 0 }
    setTimer()
  }

  private func receive() {
    guard let connection = listener.connection else { return }
    do { try connection.receive() } catch {
      watcher.stop()
      listener.disconnect()
      return check()
    }
    if connection.takeNotifications() { checkAwaited() }
  }

  private func setTimer() {
    let deadline = pause.map { .now() + .milliseconds($0) } ?? nextRenewal
    let time = min(deadline, nextRenewal)
    if let timerDeadline, timerDeadline <= time { return }
    timerDeadline = time
    queue.asyncAfter(deadline: time) { [weak self] in
      // A timer that was set later may have replaced this one.
      guard let self, timerDeadline == time else { return }
      timerDeadline = nil
      guard isSubscribed else { return }
      // If this fails, the step does, too.
      if pause != nil, hasMissedCommits || !((try? listener.isUnchanged()) ?? false) {
        checkAfterPause()
      }
      renew()
      if watcher.isWatching { setTimer() }
    }
  }

  /// The number of milliseconds until the next check for commits, or nil if every commit causes a
  /// notification.
  private var pause: Int? {
    if listener.isPolling { return ListenerPace.pause(after: stepDuration) }
    // The transactions that do not notify may belong to others, and take long.
    if listener.hasUnannouncedTransactions || hasMissedCommits {
      return min(50 << min(unannouncedChecks / 16, 8), pollingInterval)
    }
    return listener.needsPolling ? pollingInterval : nil
  }

  private func checkAfterPause() {
    if listener.isPolling { return checkAwaited() }
    unannouncedChecks += 1
    check()
  }

  private func renew() {
    guard DispatchTime.now() >= nextRenewal else { return }
    nextRenewal = .now() + .seconds(ListenerRegistration.renewalInterval)
    // If the connection was lost, the step connects again.
    do { if try !listener.renew() { check() } } catch { check() }
    if listener.connection?.takeNotifications() ?? false { checkAwaited() }
  }

  /// Reports an error, and tries again after a pause.
  private func retry(after error: any Error) {
    let isLost = listener.connection?.isLost ?? true
    if isLost {
      watcher.stop()
      listener.disconnect()
    }
    // A short interruption is not reported, because no commit is missed.
    if !hasReportedFailure, !(isLost || error.isLocked) || retries >= Self.silentRetries {
      hasReportedFailure = true
      report(error)
    }
    if isRetrying { return }
    isRetrying = true
    let pause = min(1_000, 20 << min(retries, 8)) + Int.random(in: 0..<20)
    retries += 1
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
      self?.isRetrying = false
      self?.check()
    }
  }

  /// The number of attempts to connect again before an error is reported. They take
  /// about 3 seconds.
  private static let silentRetries = 7
}

extension CommittedChanges {
  /// Returns the changes, or unknown ones if there are more rows than a limit.
  fileprivate func limited(to limit: Int) -> CommittedChanges {
    rowCount <= limit ? self : CommittedChanges(tables: [:], hasAllTables: false)
  }
}
