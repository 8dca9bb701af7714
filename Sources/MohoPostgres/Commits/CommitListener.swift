import MohoRows

/// Reads the commits to a store's tables, step by step. Each step leads from one
/// snapshot to a later one.
///
/// Not `Sendable`: use it only on the queue of its feed.
final class CommitListener {
  /// A step from one snapshot to the next.
  struct Step {
    let changes: [String: RowWriteSet]
    /// Whether the changes include all rows that differ.
    let isComplete: Bool
    /// The tables that observers read but that others have locked, so that they cannot be read.
    var lockedTables: Set<String> = []
    /// The number of transactions that have made the changes, if the log contains them.
    var transactionCount = 0

    /// Whether the two snapshots do not differ.
    var isEmpty: Bool { changes.isEmpty && isComplete }
  }

  /// The savepoint of a step, which has the locks and the snapshot of the transaction.
  static let savepoint = "_moho_step"

  let log: PostgresLogSchema
  let locks: StepLocks
  private let reader: LogReader
  private let connect: @Sendable () throws -> PostgresConnection

  /// The connection, or nil if it was lost.
  private(set) var connection: PostgresConnection?
  /// The latest snapshot, or nil before the first one.
  private(set) var snapshot: PostgresSnapshot?
  private var registration: ListenerRegistration?
  /// Whether changes since the snapshot may be missing in the log.
  private var missesChanges = false
  /// Transactions that may have made changes that were not recorded, by the lower 32
  /// bits of their IDs.
  private var unrecorded: Set<UInt32> = []
  /// Transactions that may be committed without a notification, although their changes are
  /// recorded: they have written while all listeners polled.
  private var unannounced: Set<UInt64> = []
  /// Whether transactions that are in progress may be committed without a notification.
  private var mayMissNotifications = false
  /// Whether the table of the listeners may say that the listener polls. Transactions then may
  /// not notify it.
  private(set) var isPolling = false
  /// The tables that were locked when the latest step began.
  private var lockedTables: Set<String> = []
  /// The tables that did not exist when the latest snapshot was taken.
  private var missingTables: Set<String> = []
  /// The state of a standby server before the latest snapshot was taken, or nil on a
  /// primary server.
  private var replica: ReplicaState?

  init(_ log: PostgresLogSchema, _ connect: @escaping @Sendable () throws -> PostgresConnection) {
    self.log = log
    self.connect = connect
    locks = StepLocks(log)
    reader = LogReader(log)
  }

  /// Whether the server is a standby server, which does not send notifications.
  var isOnReplica: Bool { replica != nil }

  /// Whether notifications may not arrive: standby servers do not send them, and
  /// connection poolers may not pass them on.
  var needsPolling: Bool { isOnReplica || connection?.isPooled ?? false }

  /// Whether there are transactions that may be committed without a notification.
  var hasUnannouncedTransactions: Bool { !unrecorded.isEmpty || !unannounced.isEmpty }

  /// Whether the log contains the changes of all commits after the latest snapshot.
  var recordsAllCommits: Bool { !isOnReplica && unrecorded.isEmpty && !missesChanges }

  /// Begins a transaction and reads the changes since the latest snapshot. The
  /// caller must end the transaction with ``endStep()``.
  ///
  /// - Parameter tables: The tables that observers have read before.
  func beginStep(reading tables: Set<String> = []) throws -> Step {
    let connection = try connected()
    do {
      let step = try locking(tables, on: connection) { tables in
        try connection.isReplica
          ? beginReplicaStep(locking: tables, on: connection)
          : beginStep(locking: tables, on: connection)
      }
      locks.begin(with: tables.subtracting(step.lockedTables))
      return step
    } catch {
      try? connection.executeUncanceled("ROLLBACK")
      throw error
    }
  }

  /// Begins a step without the tables that others have locked.
  private func locking(
    _ tables: Set<String>, on connection: PostgresConnection,
    _ begin: (Set<String>) throws -> Step
  ) throws -> Step {
    // A failed attempt to lock a table is an error in the log of the server.
    var locked =
      lockedTables.isEmpty ? [] : try locks.lockedTables(among: tables, on: connection)
    for _ in 0..<Self.maximumLockingCount {
      do {
        var step = try begin(tables.subtracting(locked))
        lockedTables = locked
        step.lockedTables = locked
        return step
      } catch let error where error.isLocked {
        try connection.executeUncanceled("ROLLBACK")
        locked = try locks.lockedTables(among: tables, on: connection)
      }
    }
    var step = try begin([])
    lockedTables = tables
    step.lockedTables = tables
    return step
  }

  /// The number of attempts to lock tables, if others lock and unlock them at the same time.
  private static let maximumLockingCount = 3

  func endStep() {
    locks.end()
    // If the connection was lost, the next step connects again.
    try? connection?.executeUncanceled("COMMIT")
  }

  /// Makes the next step incomplete.
  func missChanges() { missesChanges = true }

  /// Removes the connection after it was lost. The changes since the latest snapshot
  /// can still be read from the log with another connection.
  func disconnect() { connection = nil }

  /// Ends listening.
  func end() {
    if let connection, let registration { try? registration.end(on: connection) }
    (connection, registration, snapshot, replica) = (nil, nil, nil, nil)
    (unrecorded, unannounced, missesChanges) = ([], [], false)
    (lockedTables, isPolling) = ([], false)
  }

  /// Extends the time in which changes are recorded.
  ///
  /// - Returns: False if the entry of the listener has expired. The next step makes another one.
  func renew() throws -> Bool {
    guard let registration, let snapshot, let connection else { return true }
    return try registration.renew(upTo: snapshot, on: connection)
  }

  /// Begins or ends polling. While the listener polls, transactions need not notify it.
  func setPolling(_ isPolling: Bool) throws {
    guard let registration, let connection, !needsPolling, isPolling != self.isPolling else {
      return
    }
    // If this throws, the server may have recorded it.
    if isPolling { self.isPolling = true }
    try registration.setPolling(isPolling, on: connection)
    self.isPolling = isPolling
    mayMissNotifications = !isPolling
  }

  private func connected() throws -> PostgresConnection {
    if let connection {
      if !connection.isLost { return connection }
      disconnect()
    }
    let connection = try connect()
    guard connection.schemaName == log.schemaName else {
      throw StoreError(
        .cannotOpen, subject: connection.schemaName,
        reason: "the search path has changed since the store was opened",
        suggestion: "open the store again")
    }
    // Each followed result has its own statements, and all of them run after each commit.
    connection.statements = PreparedStatements(capacity: 1_024)
    // The next transaction of a pooler may belong to another client, which would have the
    // settings.
    if !connection.isPooled {
      try connection.execute(settings(isReplica: connection.isReplica).joined(separator: "; "))
    }
    connection.stepLocks = locks
    self.connection = connection
    return connection
  }

  private func settings(isReplica: Bool) -> [String] {
    let settings = ["SET \(StepLocks.setting)"]
    if isReplica { return settings }
    return settings + [
      // Listen before the first snapshot is taken, so that no commit is missed.
      "LISTEN \(quotedName(log.channel))",
      // Plans that depend on the number of changed rows would be made each time.
      "SET plan_cache_mode = force_generic_plan",
      "SET application_name = \(quotedText(log.channel))",
      // A session in a transaction does not read notifications, and the server cannot delete
      // them. An observer that takes longer than this has lost its entry among the listeners
      // anyway.
      "SET idle_in_transaction_session_timeout = '\(ListenerRegistration.duration)s'",
    ]
  }

  private func beginStep(
    locking tables: Set<String>, on connection: PostgresConnection
  ) throws -> Step {
    var registration = try self.registration ?? register(on: connection)
    var step = try begin(since: snapshot, registration, locking: tables, on: connection)
    if !step.isRegistered {
      try connection.execute("ROLLBACK")
      missesChanges = true
      registration = try register(on: connection)
      step = try begin(since: nil, registration, locking: tables, on: connection)
      guard step.isRegistered else {
        throw StoreError(
          .database, reason: "the entry in the table of the listeners has disappeared",
          suggestion: "do not write to tables whose names start with `_moho`")
      }
    }
    // The snapshot sees all commits that were notified before.
    _ = connection.takeNotifications()
    replica = nil
    let isFirst = snapshot == nil
    if try hasUnrecordedCommit(in: step.snapshot, on: connection), !isFirst {
      missesChanges = true
    }
    let isComplete = isFirst || !missesChanges && step.changes.isComplete
    snapshot = step.snapshot
    missesChanges = false
    if mayMissNotifications { unannounced = Set(step.snapshot.inProgress) }
    unannounced.formIntersection(step.snapshot.inProgress)
    mayMissNotifications = false
    return Step(
      changes: step.changes.tables, isComplete: isComplete,
      transactionCount: step.transactionCount)
  }

  /// Begins a transaction with the tables that exist. If others have removed or
  /// renamed a table, only the observers of this table cannot read.
  private func begin(
    since old: PostgresSnapshot?, _ registration: ListenerRegistration,
    locking tables: Set<String>, on connection: PostgresConnection
  ) throws -> LogReader.Step {
    var missing: Set<String> = []
    var step: LogReader.Step
    do {
      step = try reader.begin(since: old, registration, locking: tables, on: connection)
    } catch let error as StoreError
      where (error.underlying as? PostgresError)?.isMissingTable ?? false
    {
      try connection.executeUncanceled("ROLLBACK")
      missing = try reader.missingTables(among: tables, on: connection)
      step = try reader.begin(
        since: old, registration, locking: tables.subtracting(missing), on: connection)
    }
    for table in missing.symmetricDifference(missingTables) { step.changes.appendAnyRow(of: table) }
    missingTables = missing
    return step
  }

  private func register(on connection: PostgresConnection) throws -> ListenerRegistration {
    let registration = ListenerRegistration(log)
    try registration.begin(polling: connection.isPooled, on: connection)
    unrecorded = try registration.unrecordedTransactions(on: connection)
    self.registration = registration
    // Other listeners may have polled until now.
    (isPolling, mayMissNotifications) = (false, !connection.isPooled)
    return registration
  }

  /// Returns whether a transaction with changes that were not recorded may have been
  /// committed before a snapshot was taken.
  private func hasUnrecordedCommit(
    in snapshot: PostgresSnapshot, on connection: PostgresConnection
  ) throws -> Bool {
    if unrecorded.isEmpty { return false }
    let running = unrecorded.intersection(
      snapshot.inProgress.map { UInt32(truncatingIfNeeded: $0) })
    let ended = unrecorded.subtracting(running)
    if ended.isEmpty { return false }
    var arguments = PostgresArguments()
    try arguments.append(ended.map { String(snapshot.transaction($0)) })
    let result = try connection.query(
      "SELECT coalesce(bool_or(pg_catalog.pg_xact_status(x::xid8) IS DISTINCT FROM 'aborted'),"
        + " false) FROM unnest($1::text[]) x", arguments)
    unrecorded = running
    return result.first?.bool(0) ?? true
  }

  /// Begins a step on a standby server, which has no notifications and does not know
  /// the listeners of the log. All rows may have changed if a transaction may have been
  /// committed.
  private func beginReplicaStep(
    locking tables: Set<String>, on connection: PostgresConnection
  ) throws -> Step {
    let state = try replicaState(on: connection)
    let isUnchanged = isSame(state) && !missesChanges
    let isFirst = snapshot == nil
    let beginning = StepLocks.beginning(tables, log, on: connection)
    let results = try connection.queries(
      beginning + [
        PostgresQuery("SELECT pg_catalog.pg_current_snapshot()::text"),
        PostgresQuery("SAVEPOINT \(Self.savepoint)"),
      ])
    snapshot = results[beginning.count].first.flatMap { PostgresSnapshot($0.string(0)) }
    (replica, missesChanges, isPolling) = (state, false, false)
    return Step(changes: [:], isComplete: isFirst || isUnchanged)
  }

  /// Whether a standby server has certainly the state of the latest snapshot. Takes
  /// one statement.
  func isUnchanged() throws -> Bool {
    guard let connection, isOnReplica, !missesChanges else { return false }
    let state = try replicaState(on: connection)
    guard isSame(state) else { return false }
    replica = state
    return true
  }

  private func isSame(_ state: ReplicaState) -> Bool {
    guard let replica, let snapshot else { return false }
    return state.isSame(as: replica, snapshot)
  }

  private func replicaState(on connection: PostgresConnection) throws -> ReplicaState {
    if let state = try ReplicaState(connection.query(ReplicaState.query).first) { return state }
    disconnect()
    missesChanges = true
    throw StoreError(.connectionLost, reason: "the standby server was promoted")
  }
}

extension PostgresSnapshot {
  /// Returns the ID of a transaction before ``xmax`` from its lower 32 bits.
  fileprivate func transaction(_ low: UInt32) -> UInt64 {
    let epoch = xmax >> 32
    let isEarlier = low > UInt32(truncatingIfNeeded: xmax)
    return (isEarlier && epoch > 0 ? epoch - 1 : epoch) << 32 | UInt64(low)
  }
}
