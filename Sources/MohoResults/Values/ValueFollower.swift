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
  private let rows: FollowedRows
  private let subscription = Lock<CommitSubscription?>(nil)

  private init(_ query: ValueQuery<Value>, _ reader: StoreReader) throws {
    self.query = query
    rows = try FollowedRows(query, reader)
    delivery = StateChannel(ValueState(generation: 0, value: try query.value(of: rows, reader)))
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

  var counts: FollowedRows.UpdateCounts { rows.counts }

  /// Processes a commit. Called on the queue of the store's observers.
  private func follow(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
    do {
      guard try rows.follow(commit.get(), reader) else { return }
      let (old, value) = (state, try query.value(of: rows, reader))
      let next =
        query.areEqual(value, old.value)
        ? nil : ValueState(generation: old.generation + 1, value: value)
      let waiters = delivery.state.withLock { delivery in
        next.map { delivery.publish($0) } ?? delivery.confirm()
      }
      for waiter in waiters { waiter.resume(returning: next ?? old) }
    } catch {
      rows.fail()
      delivery.fail(error)
    }
  }
}

extension ValueQuery {
  /// The value of the current state.
  fileprivate func value(of rows: FollowedRows, _ reader: StoreReader) throws -> Value {
    switch computation {
    case .counting(let value): return value(rows.values.count)
    case .aggregating(_, let value): return value(rows.values.groups)
    case .reading(let value):
      rows.countStatement()
      return try value(reader)
    }
  }
}
