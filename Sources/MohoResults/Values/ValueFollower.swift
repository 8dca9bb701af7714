import MohoMapping
import MohoRows
import Synchronization

/// A value, and the number of different values before it.
struct ValueState<Value: Sendable>: DeliveredState {
  let generation: Int
  let value: Value
}

/// Follows a value from commit to commit, and delivers it to waiting consumers.
///
/// Values are computed on the queue of the store's observers, one after the other.
final class ValueFollower<Value: Sendable>: Sendable {
  let delivery: StateChannel<ValueState<Value>>
  private let query: ValueQuery<Value>
  private let result: ResultDefinition
  /// The request of the rows, which selects the values of ``rows``.
  private let request: ResolvedRequest
  private let reader: any ResultReader
  /// Whether the value is computed from the values of the rows. Those of a page also depend
  /// on other rows.
  private let storesValues: Bool
  /// The rows that meet the conditions, and their groups.
  private let groups: Lock<OrderedGroups>
  private let subscription = Lock<CommitSubscription?>(nil)

  private init(_ query: ValueQuery<Value>, _ reader: StoreReader) throws {
    self.query = query
    result = try ResultDefinition(
      query.request, isOrdered: query.isOrdered, selecting: query.operands, of: query.model,
      reader.schema)
    var groups = OrderedGroups(LiveRows(nil))
    var storesValues = false
    if case .aggregating(let aggregates, _) = query.computation {
      let computation = LiveRows.Computation(aggregates, result.request.selection)
      groups = OrderedGroups(
        LiveRows(computation), try reader.order(of: aggregates), names: aggregates.names)
      storesValues = !aggregates.request.isPaged
    }
    self.storesValues = storesValues
    let request = result.request.unordered
    self.request = storesValues ? request : request.withoutSelection
    self.reader = try reader.session.resultReader(
      of: self.request, models: nil, isSectioned: false)
    try groups.rows.read(self.reader, self.request, storingValues: storesValues, reader)
    let value = try query.value(of: &groups, reader)
    self.groups = Lock(groups)
    delivery = StateChannel(ValueState(generation: 0, value: value))
  }

  /// Reads a value, and follows it.
  static func following(_ query: ValueQuery<Value>, in store: ModelStore) throws -> ValueFollower {
    let (follower, subscription) = try store.observe({ try ValueFollower(query, $0) }) {
      follower, commit, reader in
      follower.follow(commit, reader)
    }
    follower.subscription.withLock { $0 = subscription }
    return follower
  }

  /// Reads a value, and follows it, without blocking the calling thread.
  static func following(
    _ query: ValueQuery<Value>, in store: ModelStore
  ) async throws -> ValueFollower {
    try await store.engine.perform(.observing) { try following(query, in: store) }
  }

  /// The newest state.
  var state: ValueState<Value> { delivery.state.withLock { $0.newest } }

  /// Processes a commit. Called on the queue of the store's observers.
  private func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    do {
      let (old, missesCommits) = delivery.state.withLock { ($0.newest, $0.failure != nil) }
      let commit = try commit.get()
      let isKnown = commit.hasAllTables && !missesCommits
      let touched = isKnown ? try reader.touchedRows(of: result, by: commit) : nil
      let value = touched?.isEmpty == true ? nil : try newValue(touched, reader)
      let state =
        value.flatMap { value in
          query.areEqual(value, old.value)
            ? nil : ValueState(generation: old.generation + 1, value: value)
        }
      let waiters = delivery.state.withLock { delivery in
        state.map { delivery.publish($0) } ?? delivery.confirm()
      }
      for waiter in waiters { waiter.resume(returning: state ?? old) }
    } catch {
      delivery.fail(error)
    }
  }

  /// Returns the value after a commit, or nil if it has not changed.
  ///
  /// - Parameter touched: What the commit may have changed; nil if that is
  ///   unknown.
  private func newValue(_ touched: TouchedRows?, _ reader: StoreReader) throws -> Value? {
    // Taken from the lock, so that the rows are changed in place and nothing is read
    // while they are locked. After an error, all rows are read again.
    var groups = groups.withLock { groups in
      defer { groups = OrderedGroups(LiveRows(nil)) }
      return groups
    }
    defer { self.groups.withLock { [groups] in $0 = groups } }
    guard try update(&groups.rows, touched, reader) else { return nil }
    return try query.value(of: &groups, reader)
  }

  /// Updates the rows that meet the conditions.
  ///
  /// - Returns: Whether the value may have changed.
  private func update(
    _ rows: inout LiveRows, _ touched: TouchedRows?, _ reader: StoreReader
  ) throws -> Bool {
    guard let touched, touched.hasAllMoveCandidates, rows.hasValues == storesValues,
      !RequiredUpdate.exceedsLookups(touched.moveCandidates.count, of: rows.count)
    else {
      try rows.read(self.reader, request, storingValues: storesValues, reader)
      return true
    }
    let oldCount = rows.count
    var mayHaveChanged = query.model != nil && touched.changesContent(of: rows)
    var candidates = touched.moveCandidates
    do {
      try self.reader.forEachRow(among: candidates, reader) { row, values in
        candidates.remove(row)
        rows.set(row, values)
        mayHaveChanged = true
      }
    } catch is UnreadableValue {
      try rows.read(self.reader, request, storingValues: storesValues, reader)
      return true
    }
    for row in candidates where rows.remove(row) { mayHaveChanged = true }
    if case .counting = query.computation { return rows.count != oldCount }
    return mayHaveChanged
  }
}

extension ValueQuery {
  /// The value of the current state.
  ///
  /// - Parameter groups: The rows that meet the conditions, and their groups.
  fileprivate func value(of groups: inout OrderedGroups, _ reader: StoreReader) throws -> Value {
    switch computation {
    case .counting(let value): return value(groups.rows.count)
    case .aggregating(let aggregates, let value):
      if try !groups.update() { try groups.set(reader.fetch(aggregates)) }
      return value(groups.snapshot)
    case .reading(let value): return try value(reader)
    }
  }
}

extension TouchedRows {
  /// Whether the content of models of some rows may have changed.
  fileprivate func changesContent(of rows: LiveRows) -> Bool {
    !keysOfUnknownRows.isEmpty || writtenRows.keys.contains(where: rows.contains)
      || relatedKeys.keys.contains(where: rows.contains)
  }
}

extension LiveRows {
  /// Reads all rows again. If another program has stored a value that does not have its
  /// type, only the identities of the rows are stored.
  fileprivate mutating func read(
    _ result: any ResultReader, _ request: ResolvedRequest, storingValues: Bool,
    _ reader: StoreReader
  ) throws {
    removeAll(storingValues: storingValues)
    guard storingValues else {
      try result.scan(reader, limit: nil) { rowIDs, _ in
        for row in rowIDs { set(row, []) }
      }
      return
    }
    do {
      try reader.session.forEachRow(of: request) { set($0, Array($1)) }
    } catch is UnreadableValue {
      try read(result, request, storingValues: false, reader)
    }
  }
}

extension LiveRows.Computation {
  /// - Parameter selection: The operands of the aggregates, as ``RequestAggregates/operands``.
  fileprivate init(_ request: RequestAggregates, _ selection: [ResolvedOperand]) {
    self.init(
      keyCount: request.keys.count, request.aggregates,
      selection.dropFirst(request.keys.count))
  }
}
