public import MohoChanges
public import MohoMapping
public import MohoStore

/// The live result of a request on an editing context: what the store has, with
/// what is not saved, and what each edit, undo and commit does to it.
///
/// ```swift
/// let results = try ContextResultsController(
///   ModelRequest<Episode>().order(by: \.season).order(by: \.title), in: context,
///   sectionedBy: \.season)
/// results.delegate = self
/// let episode = try context.insert(Episode.self)  // tells the delegate of a row
/// context.undo()  // tells it that the row is gone
/// task = Task { try await results.present() }  // commits of others are told, too
/// ```
///
/// Guarantees:
/// - ``snapshot`` is what `EditingContext.fetch` finds, in its order and in
///   sections: rows that are not saved are in it, and edited ones stand where
///   their values say.
/// - The delegate is told before the call returns that has changed the context:
///   an edit, undo, redo, rollback, refresh, save or reset. Calls that are made
///   by the delegate are told in a cycle of their own, once this one has ended.
/// - Updates are as exact as those of a ``ResultsController``: one record for
///   each touched row, as few moves as can be, legal in every projection.
/// - Saving is no change of what is shown. A row that was new keeps its number in
///   the index, so that a cell stays what it is; the update says in
///   ``ResultsUpdate/identities`` which identity it has got. What others have
///   committed, and what merging with it has changed, are records like others.
/// - Limit and offset hold of what is shown: a row that is inserted at the
///   beginning pushes the last one out.
/// - Another request is an update of its own, told before the call returns that
///   sets it, in which rows of both results stay or move and keep their numbers.
///   What was committed before is neither lost nor told twice. A request that
///   cannot be carried out changes nothing.
///
/// Limits:
/// - A step costs time in proportion to the rows that are not saved and those that
///   commits have changed; a place is found by as many comparisons as the
///   logarithm of the number of rows.
/// - Where the request follows relationships, or models contain others, and rows
///   of such entities are not saved, all rows are read as the context has them,
///   with links as it has read them.
/// - Rows that others commit, and that the context has not changed, are shown
///   before the context has read them anew; its `ManagedRow` has the old values
///   until then.
/// - A row that the context has changed is shown with what it was read with, as
///   `fetch` has it, until it is saved or refreshed.
/// - A new row whose identity the store gives stands behind those that are equal
///   to it in all orderings; where the last of them is descending, saving moves it
///   before them.
/// - Where a row is edited before it is noticed that another commit has changed
///   it, the keys that either has changed count as changed; all of them, where the
///   commit has taken it out of the store's result or into it.
/// - Where what was committed could not be shown by the request before, all keys
///   of rows count as changed in the update that another request makes.
/// - What is edited inside `ModelStore.write` is told once that is committed.
///
/// Not `Sendable`: it belongs where its context does, and calls its delegate
/// there. Snapshots and updates may go anywhere.
public final class ContextResultsController<Model: MappedModel> {
  /// The context.
  public let context: EditingContext

  /// What is shown: what the delegate has been told of. Until
  /// ``ResultsControllerDelegate/resultsWillChange(_:)`` has returned, the state
  /// before an update.
  public private(set) var snapshot: ResultsSnapshot<Model>

  /// Who is told of changes. It is not kept alive.
  public weak var delegate: (any ResultsControllerDelegate<Model>)?

  /// What has kept the last change from being shown; nil where all is shown.
  public private(set) var failure: (any Error)?

  private let stored: ResultsController<Model>
  private var query: ContextQuery<Model>
  /// What is shown, once the delegate has been told of all steps.
  private var state: ContextState
  private var telling = ContextTelling()
  private var observations: [ContextObservation] = []

  /// Fetches a request's result, in one section, and follows it.
  ///
  /// - Throws: `StoreError` where the request cannot be carried out, or the
  ///   call is made inside `write`.
  public convenience init(_ request: ModelRequest<Model>, in context: EditingContext) throws {
    try self.init(request, sectionedBy: nil, in: context)
  }

  /// Fetches a request's result in sections of rows that have one value of a
  /// key, and follows it.
  ///
  /// - Throws: As ``ResultsController/init(_:in:sectionedBy:startingWith:)``.
  public convenience init<Section>(
    _ request: ModelRequest<Model>, in context: EditingContext,
    sectionedBy keyPath: KeyPath<Model, Section>
  ) throws {
    let key = Operand.key(KeyName(keyPath, of: Model.self))
    try self.init(request, sectionedBy: key, in: context)
  }

  /// Fetches a request's result in sections of rows that have one value that is
  /// made of keys, and follows it.
  ///
  /// - Throws: As ``ResultsController/init(_:in:sectionedByValue:startingWith:)``.
  public convenience init<Section: RequestOperand>(
    _ request: ModelRequest<Model>, in context: EditingContext,
    sectionedByValue section: (ModelKeys<Model>) -> Section
  ) throws {
    try self.init(
      request, sectionedBy: ModelRequest<Model>.operand(section), in: context)
  }

  /// - Parameter rebuilds: Whether the list is made anew in each step: what is
  ///   found is the same.
  package init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?, in context: EditingContext,
    rebuilds: Bool = false
  ) throws {
    self.context = context
    let stored = try ResultsController(
      request.limit(nil).offset(0), sectionedBy: section, in: context.store)
    let query = try ContextQuery(
      request, sectionedBy: section, in: context, rebuilds: rebuilds)
    let state = try context.store.readNewest { _ in
      try query.start(stored.follower.state)
    }
    self.stored = stored
    self.query = query
    self.state = state
    snapshot = ResultsSnapshot(
      state: state.store, follower: stored.follower, overlay: state.overlay(generation: 0))
    observations = sequence(first: context) { $0.parent }.map { context in
      context.afterEachCall { [weak self] in self?.contextChanged() }
    }
  }

  /// The row of the context at a path.
  ///
  /// - Throws: ``ResultsError`` where there is no row at the path; `StoreError`
  ///   where the context does not know it any more.
  public func row(at path: RowPath) throws -> ManagedRow {
    guard let identity = snapshot.identity(at: path) else {
      throw ResultsError(code: .noSuchRow, reason: "there is no row at \(path)")
    }
    return try context.row(identity)
  }

  /// Shows what others have committed, which ``present()`` does as it happens.
  /// Waits for whoever is writing.
  ///
  /// - Throws: `StoreError` where the store cannot be read, or the call is made
  ///   inside `write`; ``ResultsError`` where sections cannot be made. What is
  ///   shown stays.
  public func catchUp() throws {
    // Which notices commits of other processes.
    try context.store.readNewest { _ in }
    try showNewest()
  }

  /// Shows what others commit, until the task is canceled.
  ///
  /// - Throws: As ``catchUp()``. Presenting may begin again.
  public nonisolated(nonsending) func present() async throws {
    try showNewest()
    while try await stored.follower.newest(after: state.store.generation) != nil {
      try showNewest()
    }
  }

  /// Shows another request from now on.
  func follow(_ request: ModelRequest<Model>, sectionedBy section: Operand?) throws {
    // What is read may be read anew, of which the context tells meanwhile.
    let isFirst = telling.begin()
    defer {
      if isFirst {
        telling.end()
        showRest()
      }
    }
    let next = try ContextQuery(
      request, sectionedBy: section, in: context, rebuilds: query.rebuilds)
    var steps: [ContextStep] = []
    let rows = request.limit(nil).offset(0)
    try stored.follower.follow(rows, sectionedBy: section) { store in
      steps = try self.steps(to: next, store)
    }
    query = next
    if let last = steps.last { state = last.state }
    telling.add(steps)
  }

  /// The steps to the first state of another request: what was committed before
  /// is one of its own, so that the other changes places alone.
  private func steps(
    to next: ContextQuery<Model>, _ store: ResultsState
  ) throws -> [ContextStep] {
    if let caughtUp = try? caughtUp() {
      return [caughtUp, try next.advance(from: caughtUp.state, to: store, ChangeSet())]
    }
    // What was committed cannot be shown by the request before, and its keys are
    // not known.
    let changes = ChangeSet(
      from: state.store.index, to: store.index,
      changedKeys: store.query.allKeys(of: store.index))
    return [try next.advance(from: state, to: store, changes)]
  }

  private func caughtUp() throws -> ContextStep {
    let newest = try stored.follower.newest(since: state.store)
    return try query.advance(from: state, to: newest.state, newest.changes.value)
  }

  private func contextChanged() {
    // Whoever is changing it calls again.
    guard query.reader.isSettled else { return }
    telling.fallBehind()
    showRest()
  }

  private func showNewest() throws {
    telling.fallBehind()
    try show()
  }

  private func showRest() {
    do {
      try show()
    } catch {
      failure = error
    }
  }

  /// Shows all that is not shown, unless somebody is about it.
  private func show() throws {
    guard telling.isOpen, telling.begin() else { return }
    defer { telling.end() }
    while let action = telling.next() {
      switch action {
      case .look: try advance()
      case .tell(let step): tell(step)
      }
    }
    failure = nil
  }

  private func advance() throws {
    let (query, known) = (query, state)
    let step = try stored.follower.readNewest(since: known.store) { newest in
      try query.advance(from: known, to: newest.state, newest.changes.value)
    }
    state = step.state
    telling.add([step])
  }

  private func tell(_ step: ContextStep) {
    if step.changes.isEmpty && step.identities.isEmpty { return }
    let overlay = step.state.overlay(generation: snapshot.generation + 1)
    let after = ResultsSnapshot<Model>(
      state: step.state.store, follower: stored.follower, overlay: overlay)
    let update = ResultsUpdate(
      before: snapshot, after: after, found: FoundChanges(step.changes),
      identities: step.identities)
    update.tell(delegate) { snapshot = after }
  }
}
