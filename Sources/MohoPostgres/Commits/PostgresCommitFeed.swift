import Dispatch
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

  private struct State {
    /// The subscribers, in subscription order.
    var subscribers: [(id: Int, report: Subscriber)] = []
    var nextID = 0
    /// The number of requests to report all commits so far.
    var requests = 0
    /// The number of requests that were met.
    var settled = 0
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
  private var isTimerSet = false
  private var hasReportedFailure = false
  private var nextRenewal = DispatchTime.now()
  private let resultReaders = ResultReaderCache()
  private var stepCount = 0

  /// - Parameters:
  ///   - pollingInterval: The number of milliseconds between checks if the server
  ///     does not send notifications.
  ///   - connect: A closure that opens a connection.
  init(
    _ schema: Schema, _ log: PostgresLogSchema, pollingInterval: Int = 500,
    connect: @escaping @Sendable () throws -> PostgresConnection
  ) {
    self.schema = schema
    self.pollingInterval = pollingInterval
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
  func subscribe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    _ subscriber:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    func subscribe(in session: PostgresSession) throws -> (Observer, CommitSubscription) {
      let observer = try initial(StoreReader(session: session))
      let id = state.withLock { state in
        defer { state.nextID += 1 }
        state.subscribers.append(
          (
            state.nextID,
            { [weak observer] changes, reader in
              guard let observer else { return }
              subscriber(observer, changes, reader)
            }
          ))
        return state.nextID
      }
      return (observer, CommitSubscription { [weak self] in self?.remove(id) })
    }
    if let session = currentSession {
      return try session.withSession { try subscribe(in: $0) }
    }
    if isOnQueue { return try step { try subscribe(in: $0) } }
    return try queue.sync { try step { try subscribe(in: $0) } }
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

  /// Returns after the subscribers have received all commits so far.
  ///
  /// If a subscriber calls this method, it receives them later.
  func settle() {
    let request = state.withLock { state -> Int? in
      if state.subscribers.isEmpty { return nil }
      state.requests += 1
      return state.requests
    }
    guard let request else { return }
    if isOnQueue { return queue.async { [weak self] in self?.settle(request) } }
    queue.sync { settle(request) }
  }

  private func settle(_ request: Int) {
    // The step of another request may have begun after this one was made.
    if state.withLock({ $0.settled >= request }) { return }
    check()
  }

  /// Reports the commits since the last step, if there are any.
  private func check() {
    guard isSubscribed else { return }
    do { try step { _ in } } catch { retry(after: error) }
  }

  /// Reports the commits since the last step, and runs a closure that reads the same
  /// snapshot.
  private func step<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
    let requests = state.withLock { state in
      state.reported = nil
      return state.requests
    }
    let step = try beginStep()
    stepCount += 1
    defer {
      listener.endStep()
      let reported = listener.recordsAllCommits ? listener.snapshot : nil
      state.withLock { state in
        state.settled = max(state.settled, requests)
        state.reported = reported
      }
      listen()
    }
    guard let connection = listener.connection else {
      throw StoreError(.connectionLost, reason: "the connection was lost")
    }
    // After an error, subscribers are waiting for a state that can be read.
    if !step.isEmpty || hasReportedFailure {
      let changes = CommittedChanges(tables: step.changes, hasAllTables: step.isComplete)
      try run(on: connection, reporting: step.changes) { notify(.success(changes), $0) }
      // Some subscribers could not read. The next step makes all read again.
      if connection.isLost { listener.missChanges() }
    }
    return try run(on: connection, body)
  }

  /// Begins a step. Connects again if the connection was lost.
  private func beginStep() throws -> CommitListener.Step {
    do { return try listener.beginStep() } catch {
      // Locks, such as those of a `TRUNCATE` of several tables, can also fail.
      guard listener.connection?.isLost ?? true || error.isRetryable else { throw error }
      if listener.connection?.isLost ?? true { watcher.stop() }
      return try listener.beginStep()
    }
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

  private func notify(_ changes: Result<CommittedChanges, any Error>, _ session: PostgresSession) {
    let subscribers = state.withLock { $0.subscribers }
    let isNested = isNotifying
    isNotifying = true
    defer { isNotifying = isNested }
    for subscriber in subscribers {
      subscriber.report(changes, StoreReader(session: session))
      // If this fails, the connection was lost, and the next step connects again.
      try? session.recover()
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
    if connection.takeNotifications() { queue.async { [weak self] in self?.check() } }
    setTimer()
  }

  private func receive() {
    guard let connection = listener.connection else { return }
    do { try connection.receive() } catch {
      watcher.stop()
      listener.disconnect()
      return check()
    }
    if connection.takeNotifications() { check() }
  }

  private func setTimer() {
    if isTimerSet { return }
    isTimerSet = true
    var time = nextRenewal
    if listener.needsPolling { time = min(time, .now() + .milliseconds(pollingInterval)) }
    if listener.hasUnrecordedTransactions { time = min(time, .now() + .milliseconds(50)) }
    queue.asyncAfter(deadline: time) { [weak self] in
      guard let self else { return }
      isTimerSet = false
      guard isSubscribed else { return }
      let isPolled = listener.needsPolling || listener.hasUnrecordedTransactions
      // If this fails, the step does, too.
      if isPolled, !((try? listener.isUnchanged()) ?? false) { check() }
      renew()
      if watcher.isWatching { setTimer() }
    }
  }

  private func renew() {
    guard DispatchTime.now() >= nextRenewal else { return }
    nextRenewal = .now() + .seconds(ListenerRegistration.renewalInterval)
    // If the connection was lost, the step connects again.
    do { try listener.renew() } catch { check() }
  }

  /// Reports an error, and tries again after a pause.
  private func retry(after error: any Error) {
    let isLost = listener.connection?.isLost ?? true
    if isLost {
      watcher.stop()
      listener.disconnect()
    }
    // A short interruption is not reported, because no commit is missed.
    if !hasReportedFailure, !isLost || retries >= Self.silentRetries {
      hasReportedFailure = true
      PostgresSession.runEnded(schema) { notify(.failure(error), $0) }
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

extension Error {
  fileprivate var isRetryable: Bool {
    ((self as? StoreError)?.underlying as? PostgresError)?.isRetryable ?? false
  }
}
