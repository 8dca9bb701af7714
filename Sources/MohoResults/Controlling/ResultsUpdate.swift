public import MohoChanges
public import MohoMapping
public import MohoRows

/// A step from one state of a result to a later one.
public struct ResultsUpdate<Model: MappedModel>: Sendable {
  /// The state before the update.
  public let before: ResultsSnapshot<Model>

  /// The state after the update.
  public let after: ResultsSnapshot<Model>

  /// The rows whose identity changed because they were saved, in the order of
  /// the result. Only updates of a ``ContextResultsController`` have any.
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

  /// The changes: one record for each touched row. Empty only in an update that
  /// has ``identities``. Paths in old space refer to ``before``, and paths in new
  /// space to ``after``.
  ///
  /// - Complexity: O(1). If all rows were read again, as after large commits,
  ///   the first access is O(*n*) in the number of rows.
  public var changes: ChangeSet { lazyChanges.value }
}

/// A row of a result whose identity changed because it was saved.
///
/// It is still the same row. Its number in the index is unchanged, and so is its
/// position, unless a change of the same update says otherwise.
public struct IdentityChange: Hashable, Sendable {
  /// The path of the row, in new space.
  public let path: RowPath
  /// The temporary identity that the row had.
  public let old: RowIdentity
  /// The identity of the row in the store.
  public let new: RowIdentity
}

/// The updates of a result from a known state on.
///
/// Each iteration receives every change. A consumer that is slower than the
/// commits receives one update from the state that it knows to the newest one.
/// Updates do not queue up. An iteration retains the controller. It ends when the
/// task is canceled, and throws if the store cannot be read. After that, a new
/// iteration continues as soon as a later commit can be read.
public struct ResultsUpdates<Model: MappedModel>: AsyncSequence, Sendable {
  let controller: ResultsController<Model>
  let known: ResultsSnapshot<Model>

  /// An iterator over updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let controller: ResultsController<Model>
    var known: ResultsSnapshot<Model>

    /// Waits for the next update. Returns `nil` if the task is canceled.
    ///
    /// - Throws: ``ResultsError`` if the known snapshot comes from another
    ///   controller or the section key has unusable values. `StoreError` if the
    ///   store cannot be read.
    public mutating func next() async throws -> ResultsUpdate<Model>? {
      guard known.follower === controller.follower else {
        throw ResultsError(
          code: .foreignSnapshot,
          reason: "the known snapshot comes from another controller;"
            + " use a snapshot of this controller")
      }
      guard let newest = try await controller.follower.next(after: known.state) else {
        return nil
      }
      let before = known
      known = ResultsSnapshot(state: newest.state, follower: controller.follower)
      return ResultsUpdate(before: before, after: known, changes: newest.changes)
    }
  }

  /// Creates an iterator that starts at the known state.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(controller: controller, known: known)
  }
}
