import MohoChanges
import MohoMapping
import MohoRows

/// A request on a context with its section key. It computes the states of a
/// result from the states of the store and the unsaved rows of the context.
///
/// Not `Sendable`, like the context.
struct ContextQuery<Model: MappedModel> {
  let reader: ContextRowReader<Model>
  let window: RowWindow
  let isSectioned: Bool
  /// Whether each transition rebuilds the whole list.
  let rebuilds: Bool
  private let summaries = ContextSummaries()

  init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?, summaries: RequestAggregates?,
    in context: EditingContext, rebuilds: Bool
  ) throws {
    reader = try ContextRowReader(request, summaries: summaries, in: context)
    window = RowWindow(offset: request.offset, limit: request.limit)
    isSectioned = section != nil
    self.rebuilds = rebuilds
  }

  /// Returns the first state.
  func start(_ store: ResultsState, _ reader: StoreReader) throws -> ContextState {
    let unmodified = ContextState(
      store: store, pending: [:], merged: MergedRows(store.index), contextRows: nil,
      numbers: RowNumbers(), rows: try ResultsRows(store.index, window))
    return try transition(from: unmodified, to: store, ChangeSet(), reader).state
  }

  /// Returns the transition from a state to a new state of the store. The old
  /// state may have a different request.
  ///
  /// - Parameter commits: The changes of the store's rows.
  /// - Complexity: O((*p* + *k*) (log *n* + *n* / 2,000)) for *p* unsaved rows
  ///   and *k* rows that commits touched. O(*n*) if there are many of them, if all
  ///   rows come from the context, or if the old state has a different request.
  func transition(
    from old: ContextState, to store: ResultsState, _ commits: ChangeSet,
    _ storeReader: StoreReader
  ) throws -> ContextTransition {
    var builder = ContextStateBuilder(
      old: old, store: store, commits: commits, stored: reader.storedRows())
    builder.rename { reader.savedIdentity(of: $0) }
    if reader.mayAffectOtherRows {
      try builder.useContextRows(reader.allRows()) { try section(of: $0) }
    } else {
      try builder.merge(reader.pendingRows(), by: reader) { try section(of: $0) }
    }
    builder.firstRows = try reader.firstRows()
    var transition = try builder.build(window, rebuilds: rebuilds)
    if let summaries = try summaries.summaries(
      of: transition.state, after: old, transition.changes, commits, storeReader)
    {
      transition.set(summaries, after: old)
    }
    return transition
  }

  private func section(of row: ContextRow) throws -> SectionKey {
    isSectioned ? try SectionKey(row.section) : .all
  }
}

/// The step from one state of a result in a context to the next.
struct ContextTransition {
  private(set) var state: ContextState
  private(set) var changes: ChangeSet
  let identities: [IdentityChange]

  init(state: ContextState, changes: ChangeSet, identities: [IdentityChange]) {
    (self.state, self.changes, self.identities) = (state, changes, identities)
  }

  /// Sets the summaries of the new state, and adds records of the sections whose summaries
  /// differ from those of the old one.
  mutating func set(_ summaries: SectionSummaries, after old: ContextState) {
    state.summaries = summaries
    changes = changes.addingSectionUpdates(
      summaries.changes(since: old.summaries, in: state.rows.visible, changes))
  }
}
