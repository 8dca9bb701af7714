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
  private let rows: any ResultReader
  /// The rows that meet the conditions.
  private let members: Lock<Set<Int64>>
  private let subscription = Lock<CommitSubscription?>(nil)

  private init(_ query: ValueQuery<Value>, _ reader: StoreReader) throws {
    self.query = query
    result = try ResultDefinition(
      query.request, isOrdered: query.isOrdered, selecting: query.operands, of: query.model,
      reader.schema)
    rows = try reader.session.resultReader(
      of: result.request.unordered, models: nil, isSectioned: false)
    let ids = try rows.allRows(reader)
    members = Lock(ids)
    delivery = StateChannel(
      ValueState(generation: 0, value: try query.value(of: ids.count, reader)))
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
      let count = try update(touched, reader)
      let value = try count.map { try query.value(of: $0, reader) } ?? old.value
      let isNew = count != nil && !query.areEqual(value, old.value)
      let state = isNew ? ValueState(generation: old.generation + 1, value: value) : old
      let waiters = delivery.state.withLock { isNew ? $0.publish(state) : $0.confirm() }
      for waiter in waiters { waiter.resume(returning: state) }
    } catch {
      delivery.fail(error)
    }
  }

  /// Updates the rows that meet the conditions.
  ///
  /// - Parameter touched: What the commit may have changed; nil if that is
  ///   unknown.
  /// - Returns: The number of rows that meet the conditions, or nil if the value
  ///   has not changed.
  private func update(_ touched: TouchedRows?, _ reader: StoreReader) throws -> Int? {
    if let touched, touched.isEmpty { return nil }
    // Taken from the lock, so that the set is changed in place and nothing is read
    // while it is locked. After an error, all rows are read again.
    var rows = members.withLock { members in
      defer { members = [] }
      return members
    }
    defer { members.withLock { [rows] in $0 = rows } }
    guard let touched, touched.hasAllMoveCandidates,
      !RequiredUpdate.exceedsLookups(touched.moveCandidates.count, of: rows.count)
    else {
      rows = try self.rows.allRows(reader)
      return rows.count
    }
    let oldCount = rows.count
    var mayHaveChanged = query.model != nil && touched.changesContent(of: rows)
    if !touched.moveCandidates.isEmpty {
      let now = try self.rows.members(among: touched.moveCandidates, reader)
      for row in touched.moveCandidates {
        if now.contains(row) {
          rows.insert(row)
          mayHaveChanged = true
        } else if rows.remove(row) != nil {
          mayHaveChanged = true
        }
      }
    }
    if case .counting = query.computation { mayHaveChanged = rows.count != oldCount }
    return mayHaveChanged ? rows.count : nil
  }
}

extension ValueQuery {
  /// The value of the current state.
  ///
  /// - Parameter count: The number of rows that meet the conditions.
  fileprivate func value(of count: Int, _ reader: StoreReader) throws -> Value {
    switch computation {
    case .counting(let value): value(count)
    case .reading(let value): try value(reader)
    }
  }
}

extension TouchedRows {
  /// Whether the content of models of some rows may have changed.
  fileprivate func changesContent(of rows: Set<Int64>) -> Bool {
    !keysOfUnknownRows.isEmpty || writtenRows.keys.contains(where: rows.contains)
      || relatedKeys.keys.contains(where: rows.contains)
  }
}

extension ResultReader {
  /// The identities of all rows of the result.
  fileprivate func allRows(_ reader: StoreReader) throws -> Set<Int64> {
    var rows: Set<Int64> = []
    try scan(reader, limit: nil) { rowIDs, _ in rows.formUnion(rowIDs) }
    return rows
  }
}
