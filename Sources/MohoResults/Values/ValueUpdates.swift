public import MohoRows

/// The current value of a ``ValueQuery`` and all later values.
///
/// ```swift
/// for try await count in store.observe(.count(unplayed)) { print(count) }
/// ```
///
/// Guarantees:
/// - The first element is the value when the iteration starts. Each later element
///   differs from the one before it.
/// - Commits of models, GRDB, raw SQL and other processes are followed, as by a
///   ``ResultsController``.
/// - Each element is a value of one committed state. A consumer that is slower
///   than the commits receives the newest value only. If the value has changed
///   back by then, the consumer receives nothing.
/// - The store is not read if the written rows show that the value has not
///   changed: if no row was in the request before or after the commit, or if no
///   value was written that the query reads.
/// - Counts and aggregates, also of groups, are updated from the rows that a commit
///   has changed, without reading the other rows. An aggregate is read if it does
///   not follow from the values: a sum of more than 64 bits, a value of another type
///   that other programs have stored, and aggregates of requests with a limit, an
///   offset or a limit for groups. `store.explain(_:)` shows the latter.
///
/// Limits:
/// - Each iteration stores the identities of all rows that meet the conditions,
///   at up to 35 bytes per row, and for aggregates the values that they are computed
///   from, at 24 bytes per value and the memory of texts and bytes of more than
///   15 bytes. All other values are read again when a commit may have changed them.
/// - If the 16 smallest or greatest values of a group are removed, a minimum or
///   maximum is found among the values of all rows.
/// - After commits that change very many rows, or whose rows are not completely
///   known, all identities are read again.
///
/// An iteration ends when its task is canceled. It throws `StoreError` or
/// `MappingError` if the value cannot be read, until a later commit makes it
/// readable. An iteration follows the store until it is released.
public struct ValueUpdates<Value: Sendable>: AsyncSequence, Sendable {
  let query: ValueQuery<Value>
  let store: ModelStore

  /// An iterator over values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let query: ValueQuery<Value>
    private let store: ModelStore
    private(set) var follower: ValueFollower<Value>?
    /// The state whose value was returned last.
    private var known: ValueState<Value>?

    init(_ query: ValueQuery<Value>, _ store: ModelStore) {
      self.query = query
      self.store = store
    }

    /// Returns the current value at first, and then waits for values that differ
    /// from the last one. Returns `nil` if the task is canceled.
    ///
    /// - Throws: `StoreError` if the request is invalid or the store cannot be
    ///   read, `MappingError` if a row is not a model.
    public mutating func next() async throws -> Value? {
      guard let follower, let known else { return try await first() }
      var generation = known.generation
      while let newest = try await follower.delivery.newest(after: generation) {
        if !query.areEqual(newest.value, known.value) {
          self.known = newest
          return newest.value
        }
        generation = newest.generation
      }
      return nil
    }

    private mutating func first() async throws -> Value? {
      do {
        let follower = try await ValueFollower.following(query, in: store)
        let state = follower.state
        self.follower = follower
        known = state
        return state.value
      } catch is CancellationError {
        return nil
      }
    }
  }

  /// Creates an iterator that starts with the current value.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query, store) }
}

extension ModelStore {
  /// Observes a value: a model, a count, an aggregate, or a list of values.
  ///
  /// Observing starts with each iteration over the result. Errors are thrown
  /// there.
  public func observe<Value>(_ query: ValueQuery<Value>) -> ValueUpdates<Value> {
    ValueUpdates(query: query, store: self)
  }
}
