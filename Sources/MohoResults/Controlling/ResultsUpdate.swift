public import MohoChanges
public import MohoMapping

/// A step from one state of a result to a later one.
public struct ResultsUpdate<Model: MappedModel>: Sendable {
  /// The state that was known.
  public let before: ResultsSnapshot<Model>

  /// The state that it has become.
  public let after: ResultsSnapshot<Model>

  /// The rows that have got another identity in between, because they were
  /// saved: of a ``ContextResultsController`` alone, in the order of the result.
  public let identities: [IdentityChange]

  let found: FoundChanges

  init(
    before: ResultsSnapshot<Model>, after: ResultsSnapshot<Model>, found: FoundChanges,
    identities: [IdentityChange] = []
  ) {
    self.before = before
    self.after = after
    self.found = found
    self.identities = identities
  }

  /// What happened in between: one record for each touched row, never empty but
  /// where rows have got other ``identities`` alone. Paths in old space are those
  /// of ``before``, paths in new space those of ``after``.
  ///
  /// - Complexity: O(1), but for the first time where all rows were read anew, as
  ///   after large commits: O(*n*) in the number of rows.
  public var changes: ChangeSet { found.value }
}

/// The updates of a result, from a known state on.
///
/// Each iteration receives every change. A consumer that is slower than the
/// commits receives one update from the state that it knows to the newest:
/// nothing queues up. Iterating keeps the controller alive. It ends when the
/// task is canceled, and throws where the store cannot be read. A new iteration
/// goes on once a later commit can be read again.
public struct ResultsUpdates<Model: MappedModel>: AsyncSequence, Sendable {
  let controller: ResultsController<Model>
  let known: ResultsSnapshot<Model>

  /// Iterates over updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let controller: ResultsController<Model>
    var known: ResultsSnapshot<Model>

    /// The next update, as soon as there is one; nil once the task is canceled.
    ///
    /// - Throws: ``ResultsError`` where the known snapshot is another
    ///   controller's, or where sections cannot be made; `StoreError` where the
    ///   store cannot be read.
    public mutating func next() async throws -> ResultsUpdate<Model>? {
      guard known.follower === controller.follower else {
        throw ResultsError(
          code: .foreignSnapshot,
          reason: "the updates begin at a snapshot of another controller;"
            + " begin at one of this controller")
      }
      guard let newest = try await controller.follower.next(after: known.state) else {
        return nil
      }
      let before = known
      known = ResultsSnapshot(state: newest.state, follower: controller.follower)
      return ResultsUpdate(before: before, after: known, found: newest.changes)
    }
  }

  /// Begins an iteration at the known state.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(controller: controller, known: known)
  }
}
