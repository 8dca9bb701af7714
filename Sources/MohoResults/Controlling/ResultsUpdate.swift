public import MohoChanges
public import MohoMapping
public import MohoRows

/// A step from one state of a result to a later one.
public struct ResultsUpdate<Model: MappedModel>: Sendable {
  /// The state before the update.
  public let before: ResultsSnapshot<Model>

  /// The state after the update.
  public let after: ResultsSnapshot<Model>

  /// The rows whose identities changed because they were saved, in the order of
  /// the result. Empty except in updates of a ``ContextResultsController``.
  public let identities: [IdentityChange]

  private let lazyChanges: LazyChangeSet

  init(
    before: ResultsSnapshot<Model>, after: ResultsSnapshot<Model>, changes: LazyChangeSet,
    identities: [IdentityChange] = []
  ) {
    self.before = before
    self.after = after
    self.identities = identities
    lazyChanges = changes
  }

  /// The changes, with one record for each touched row. Empty only in an update
  /// that has ``identities``. Paths in old space refer to ``before``, and paths
  /// in new space to ``after``.
  ///
  /// - Complexity: O(1). If all rows were read again, for example after a large
  ///   commit, the first access takes O(*n*), where *n* is the number of rows.
  public var changes: ChangeSet { lazyChanges.value }
}

/// A row of a result whose identity changed because it was saved.
///
/// It is still the same row. Its number in the index is unchanged. Its position
/// is also unchanged, unless the same update reports a move.
public struct IdentityChange: Hashable, Sendable {
  /// The path of the row, in new space.
  public let path: RowPath
  /// The temporary identity before saving.
  public let old: RowIdentity
  /// The identity of the row in the store.
  public let new: RowIdentity
}

/// The updates of a result that follow a snapshot.
///
/// Each iteration receives every change. Updates do not queue up: a consumer
/// that is slower than the commits receives a single update from its last state
/// to the newest one. An iteration retains the controller. It ends when the
/// task is canceled, and throws if the store cannot be read, for example because
/// its server is not available. The next call of the same iterator then waits until
/// the store can be read, and returns an update even if nothing has changed.
public struct ResultsUpdates<Model: MappedModel>: AsyncSequence, Sendable {
  let controller: ResultsController<Model>
  let known: ResultsSnapshot<Model>

  /// An iterator over updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let controller: ResultsController<Model>
    var known: ResultsSnapshot<Model>
    private var hasFailed = false

    init(_ controller: ResultsController<Model>, _ known: ResultsSnapshot<Model>) {
      self.controller = controller
      self.known = known
    }

    /// Waits for the next update. Returns `nil` if the task is canceled.
    ///
    /// - Throws: A ``ResultsError`` if the snapshot comes from another
    ///   controller or the section key has unusable values. A `StoreError` if
    ///   the store cannot be read.
    public mutating func next() async throws -> ResultsUpdate<Model>? {
      guard known.follower === controller.follower else {
        throw ResultsError(
          code: .foreignSnapshot,
          reason: "the known snapshot comes from another controller;"
            + " use a snapshot of this controller")
      }
      do {
        let update = try await controller.update(after: known, hasFailed: hasFailed)
        hasFailed = false
        known = update?.after ?? known
        return update
      } catch {
        hasFailed = true
        throw error
      }
    }
  }

  /// Creates an iterator that starts at the snapshot.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(controller, known)
  }
}

extension ResultsController {
  /// Waits for the update that follows a snapshot of this controller. Returns `nil`
  /// if the task is canceled.
  ///
  /// - Parameter hasFailed: Whether the last call has thrown an error. If so, the
  ///   method waits until a commit can be read, and returns an update even if
  ///   nothing has changed.
  func update(
    after known: ResultsSnapshot<Model>, hasFailed: Bool = false
  ) async throws -> ResultsUpdate<Model>? {
    let newest = try await follower.next(after: known.state, hasFailed: hasFailed)
    return newest.map { newest in
      let after = ResultsSnapshot<Model>(state: newest.state, follower: follower)
      return ResultsUpdate(before: known, after: after, changes: newest.changes)
    }
  }
}
