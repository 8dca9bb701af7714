import MohoChanges
import MohoMapping
import MohoStore

/// A request on a context and its sections: makes the states of a result, each
/// of a state of the store and of what the context has instead.
///
/// Not `Sendable`, as the context.
struct ContextQuery<Model: MappedModel> {
  let reader: ContextReader<Model>
  let visible: VisibleRows
  let isSectioned: Bool
  /// Whether the list is made anew in each step.
  let rebuilds: Bool

  init(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?, in context: EditingContext,
    rebuilds: Bool
  ) throws {
    reader = try ContextReader(request, in: context)
    visible = VisibleRows(offset: request.offset, limit: request.limit)
    isSectioned = section != nil
    self.rebuilds = rebuilds
  }

  /// The first state.
  func start(_ store: ResultsState) throws -> ContextState {
    let plain = ContextState(
      store: store, pending: [:],
      places: PendingPlaces(store.index, hidden: [], entries: []), everything: nil,
      numbers: RowNumbers(),
      rows: ResultsRows(all: store.index, visible: try visible.rows(of: store.index)))
    return try advance(from: plain, to: store, ChangeSet()).state
  }

  /// What follows a state, of this request or another, once the store has got to
  /// another.
  ///
  /// - Parameter commits: What has happened to the rows of the store.
  /// - Complexity: O(*p* log *n* + *k* log *n*) for *p* rows that are not saved
  ///   and *k* that commits have touched; O(*n*) where those are many, where all
  ///   rows are shown as the context has them, or after another request.
  func advance(
    from old: ContextState, to store: ResultsState, _ commits: ChangeSet
  ) throws -> ContextStep {
    var step = ContextDraft(old: old, store: store, commits: commits, stored: reader.storedRows())
    step.rename { reader.savedIdentity(of: $0) }
    if reader.mayChangeOthers {
      try step.show(reader.allRows()) { try section(of: $0) }
    } else {
      try step.place(reader.pendingRows(), by: reader) { try section(of: $0) }
    }
    return try step.finish(visible, rebuilds: rebuilds)
  }

  private func section(of row: ContextRow) throws -> SectionKey {
    isSectioned ? try SectionKey(reader.section(of: row)) : .all
  }
}

/// A state and what has led to it.
struct ContextStep {
  let state: ContextState
  let changes: ChangeSet
  let identities: [IdentityChange]
}
