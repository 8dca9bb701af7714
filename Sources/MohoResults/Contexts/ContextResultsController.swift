public import MohoChanges
public import MohoMapping
public import MohoRows

/// The live result of a request on an editing context. It contains the rows of
/// the store with the unsaved changes of the context, and reports the exact
/// changes made by each edit, undo and commit.
///
/// ```swift
/// let results = try ContextResultsController(
///   ModelRequest<Episode>().order(by: \.season).order(by: \.title), in: context,
///   sectionedBy: \.season)
/// results.delegate = self
/// let episode = try context.insert(Episode.self)  // calls the delegate: a row is inserted
/// context.undo()  // calls the delegate: the row is deleted
/// task = Task { try await results.present() }  // presents external commits
/// ```
///
/// Guarantees:
/// - ``snapshot`` contains the rows that `EditingContext.fetch` returns, in its
///   order and in sections. It includes unsaved rows, and edited rows at the
///   positions that their values require.
/// - The delegate is called before the call that changed the context returns.
///   Such a call is an edit, undo, redo, rollback, refresh, save or reset.
///   Changes by the delegate itself are reported as a separate update after the
///   current one.
/// - Updates are as exact as the updates of a ``ResultsController``: one record
///   for each touched row, a minimal number of moves, and legal operations in
///   each projection.
/// - Saving does not change the visible content. A new row keeps its number in
///   the index, so its cell remains. The update reports its new identity in
///   ``ResultsUpdate/identities``. Changes by external commits, and by merging
///   with them, are reported like all other changes.
/// - Limit and offset apply to the visible rows: inserting a row at the start
///   removes the last one.
/// - A new request causes a separate update, which is reported before the call
///   that sets the request returns. Rows of both results stay or move, and keep
///   their numbers. Earlier commits are reported exactly once. A request that
///   fails changes nothing.
///
/// Limits:
/// - The cost of a transition depends on the number of unsaved rows and of rows
///   that commits changed. Finding a position takes as many comparisons as the
///   binary logarithm of the number of rows.
/// - If the request follows relationships, or the models contain other models,
///   and rows of those entities have unsaved changes or links to deleted rows,
///   then all rows are read from the context, with the links that it has loaded.
/// - If a summary reads related rows, its values are read again for all rows when a commit
///   changes the result.
/// - If the request selects the first rows of each group, they are fetched again in
///   each transition. If rows of the entity have unsaved changes, the context
///   reads all rows that meet the conditions.
/// - An external commit, made without the context, is visible before the
///   context has read the changed rows again. Until then, their `ManagedRow`
///   has the old values.
/// - A row with unsaved changes has the values that the context originally read,
///   except for these changes, until it is saved or refreshed. The same applies
///   to `fetch`.
/// - A new row whose identity the store assigns follows the rows that are equal
///   to it in all orderings. If the last ordering is descending, saving moves
///   the row before these rows.
/// - If a row is edited before an external commit that changed it has been
///   detected, the keys that either side changed count as changed. If that
///   commit inserted the row into the store's result or removed it, all keys
///   count as changed.
/// - If earlier commits could not be presented with the previous request, all
///   keys count as changed in the update for a new request.
/// - Edits inside `ModelStore.write` are reported after the commit.
///
/// Not `Sendable`: it belongs to the isolation domain of its context, and calls
/// its delegate there. Snapshots and updates are `Sendable`.
public final class ContextResultsController<Model: MappedModel>: PresentedResults {
  /// The context.
  public let context: EditingContext

  /// The presented state. The state changes after
  /// ``ResultsControllerDelegate/controller(_:willApply:)`` has returned, so it
  /// always matches the calls that the delegate has received.
  public private(set) var snapshot: ResultsSnapshot<Model>

  /// The object that receives the changes. The controller does not retain it.
  public weak var delegate: (any ResultsControllerDelegate<Model>)?

  /// The error that prevented presenting the last change, or `nil` if all
  /// changes have been presented.
  public private(set) var failure: (any Error)?

  private let stored: ResultsController<Model>
  private var query: ContextQuery<Model>
  /// The state after all transitions have been reported.
  private var state: ContextState
  private var queue = UpdateQueue()
  private var observations: [ContextObservation] = []

  /// Fetches the result of a request, and follows it.
  ///
  /// - Parameters:
  ///   - request: The rows and their order.
  ///   - context: The context whose changes belong to the result.
  ///   - section: Selects the section key, which must be the first ordering of the request,
  ///     from the keys of the model: a closure, or a key path literal such as `\.season`.
  ///     Nil for a single section.
  ///   - summaries: Selects the values to compute from the visible rows of each section.
  /// - Throws: ``ResultsError`` if the section key is not the first ordering of the request
  ///   or has binary values, `StoreError` if the request is invalid or cannot be executed, or
  ///   if the call is made inside `write`.
  public convenience init(
    _ request: ModelRequest<Model>, in context: EditingContext,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) throws {
    try self.init(
      request, sectionedBy: section.map(ModelRequest<Model>.operand),
      summaries: request.summaries(summaries), in: context)
  }

  /// - Parameter rebuilds: Whether each transition rebuilds the whole list.
  ///   Tests compare the outcome with the default behavior.
  package init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates? = nil, in context: EditingContext, rebuilds: Bool = false
  ) throws {
    self.context = context
    let stored = try ResultsController(
      request.unpaged, sectionedBy: section, summaries: summaries, in: context.store)
    let query = try ContextQuery(
      request, sectionedBy: section, summaries: summaries, in: context, rebuilds: rebuilds)
    let state = try context.store.readNewest { reader in
      try query.start(stored.follower.state, reader)
    }
    self.stored = stored
    self.query = query
    self.state = state
    snapshot = ResultsSnapshot(
      state: state.store, follower: stored.follower, overlay: state.overlay(generation: 0))
    observations = sequence(first: context) { $0.parent }.map { context in
      context.afterEachCall { [weak self] in self?.contextDidChange() }
    }
  }

  /// Returns the context's row at a path.
  ///
  /// - Throws: ``ResultsError`` if the path has no row. `StoreError` if the context
  ///   no longer has the row.
  public func row(at path: RowPath) throws -> ModelRow<Model> {
    guard let identity = snapshot.identity(at: path) else {
      throw ResultsError(code: .rowNotFound, reason: "there is no row at \(path)")
    }
    return try ModelRow(context.row(identity))
  }

  /// Presents all external commits that have been made. Waits for writers.
  /// ``present()`` does the same after each commit.
  ///
  /// - Throws: `StoreError` if the store cannot be read, or if the call is made
  ///   inside `write`. ``ResultsError`` if the section key has binary values. The
  ///   presented state remains.
  public func catchUp() throws {
    // Reading the latest state detects commits of other processes.
    try context.store.readNewest { _ in }
    try presentNewest()
  }

  /// Presents external commits until the task is canceled.
  ///
  /// - Throws: The errors of ``catchUp()``. This method can be called again.
  public nonisolated(nonsending) func present() async throws {
    try presentNewest()
    while try await stored.follower.newest(after: state.store.generation) != nil {
      try presentNewest()
    }
  }

  /// Replaces the request.
  func follow(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    summaries: RequestAggregates? = nil
  ) throws {
    // The context may refresh rows while it reads, and then reports a change.
    let isFirst = queue.begin()
    defer {
      if isFirst {
        queue.end()
        presentPending()
      }
    }
    let next = try ContextQuery(
      request, sectionedBy: section, summaries: summaries, in: context,
      rebuilds: query.rebuilds)
    var transitions: [ContextTransition] = []
    try stored.follower.follow(
      request.unpaged, sectionedBy: section, summaries: summaries
    ) { store, reader in
      transitions = try self.transitions(to: next, store, reader)
    }
    query = next
    if let last = transitions.last { state = last.state }
    queue.append(transitions)
  }

  /// Returns the transitions to the first state of a new request. Earlier
  /// commits form a separate transition, so that the new request changes only
  /// positions.
  private func transitions(
    to next: ContextQuery<Model>, _ store: ResultsState, _ reader: StoreReader
  ) throws -> [ContextTransition] {
    if let commits = try? transitionToNewest(reader) {
      return [commits, try next.transition(from: commits.state, to: store, ChangeSet(), reader)]
    }
    // The previous request cannot present the commits, so the changed keys
    // cannot be determined.
    let changes = ChangeSet(
      from: state.store.index, to: store.index,
      changedKeys: store.query.allKeys(of: store.index))
    return [try next.transition(from: state, to: store, changes, reader)]
  }

  private func transitionToNewest(_ reader: StoreReader) throws -> ContextTransition {
    let newest = try stored.follower.newest(since: state.store)
    return try query.transition(from: state, to: newest.state, newest.changes.value, reader)
  }

  private func contextDidChange() {
    // If an outer call is changing the context, this method is called again
    // when that call ends.
    guard query.reader.isSettled else { return }
    queue.setNeedsAdvance()
    presentPending()
  }

  private func presentNewest() throws {
    queue.setNeedsAdvance()
    try processQueue()
  }

  private func presentPending() {
    do {
      try processQueue()
    } catch {
      failure = error
    }
  }

  /// Performs all actions of the queue, unless an outer call is already doing
  /// so.
  private func processQueue() throws {
    guard !queue.isEmpty, queue.begin() else { return }
    defer { queue.end() }
    while let action = queue.next() {
      switch action {
      case .advance: try advance()
      case .report(let transition): report(transition)
      }
    }
    failure = nil
  }

  private func advance() throws {
    let (query, known) = (query, state)
    let transition = try stored.follower.readNewest(since: known.store) { newest, reader in
      try query.transition(from: known, to: newest.state, newest.changes.value, reader)
    }
    state = transition.state
    queue.append([transition])
  }

  private func report(_ transition: ContextTransition) {
    if transition.changes.isEmpty && transition.identities.isEmpty { return }
    let overlay = transition.state.overlay(generation: snapshot.generation + 1)
    let after = ResultsSnapshot<Model>(
      state: transition.state.store, follower: stored.follower, overlay: overlay)
    let update = ResultsUpdate(
      before: snapshot, after: after, changes: LazyChangeSet(transition.changes),
      identities: transition.identities)
    report(update) { snapshot = after }
  }
}
