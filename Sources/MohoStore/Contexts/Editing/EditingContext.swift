import Dispatch
import MohoMapping

/// A scratch pad of rows: what is inserted, changed, linked and deleted in it
/// is not in the store before it is saved.
///
/// ```swift
/// let context = EditingContext(store)
/// let episode = try context.insert(Episode.self)
/// try episode.set(\Episode.title, to: "Basalt")
/// try context.save()
/// ```
///
/// **Guarantees**
///
/// - A row is one ``ManagedRow`` for as long as that is used, however it is
///   come by.
/// - What a context fetches includes its own changes.
/// - Each call that changes rows does so wholly or, where it throws, not at all,
///   and can be undone.
/// - Everything is checked before anything is saved, and all that is wrong is in
///   one error. What fails to be saved leaves context and store as they were.
/// - Values of rows that were fetched together are read at once, and so are
///   their links: a statement for up to 500 rows.
/// - Changes of other contexts, other processes and raw SQL are noticed alike: a
///   context keeps the values of rows as they were read, and saving writes a row
///   only while the store still has them. Tables need no column for a version.
///   ``conflictPolicy`` says what becomes of a row that has changed.
///
/// **Limits**
///
/// - Nothing is locked while a context is open, and rows that are read one after
///   the other may be of different states of the store.
/// - What was read stays in memory until ``reset()``.
/// - Links in tables of their own, between rows that are many on both ends, are
///   added and removed one by one and never a conflict.
/// - A relationship with an order is read as a whole before it is changed, and
///   moving a row may write the positions of those behind it.
///
/// Not `Sendable`: the compiler keeps a context and its rows where they were
/// made. ``ModelStore/perform(_:)`` runs work with a context off the caller's
/// thread.
public final class EditingContext {
  /// The store that saving writes to, in the end.
  public let store: ModelStore

  /// The context that saving writes to, or nil where it is the store.
  public let parent: EditingContext?

  /// What becomes of rows that have changed since they were read.
  public var conflictPolicy: ConflictPolicy = .error

  let layout: ContextLayout
  let source: any RowSource
  var graph: ContextGraph
  var undoStack = UndoStack<GraphChange> { $0.coalesced(with: $1) }
  var observers = ContextObservers()
  var children: [WeakContext] = []
  private var objects: [Int: WeakRow] = [:]
  private var generation = 0
  private(set) var depth = 0
  private var refreshed: [Int] = []
  /// What kept rows from being read while they were filtered in memory.
  var subjectError: (any Error)?

  /// Makes a context on a store, without rows.
  public init(_ store: ModelStore) {
    let source = StoreSource(store)
    self.store = store
    self.source = source
    parent = nil
    layout = source.layout
    graph = ContextGraph(layout)
  }

  /// Makes a context whose rows are those of another, with what is not saved of
  /// them, and whose saving changes that other one.
  public init(childOf parent: EditingContext) {
    store = parent.store
    self.parent = parent
    source = ParentSource(parent)
    layout = parent.layout
    graph = ContextGraph(parent.layout)
    parent.children.removeAll { $0.context == nil }
    parent.children.append(WeakContext(context: self))
  }

  /// The row of an identity, whose values are read when they are asked for.
  ///
  /// A row that has been saved is also found by the temporary identity that it
  /// had, but after ``reset()``.
  ///
  /// - Throws: ``StoreError`` where the store has no such entity, or the context
  ///   no such new row.
  public func row(_ identity: RowIdentity) throws -> ManagedRow {
    let entity = try layout.requireEntity(identity.entity)
    if let handle = graph.handles[identity] ?? saved[identity] { return row(handle) }
    if identity.isTemporary {
      let rows = try source.rows(of: entity, [identity])
      guard let handle = absorb(rows, of: entity).first else {
        throw StoreError(.invalidRequest, reason: "the context has no row \(identity)")
      }
      return row(handle)
    }
    return row(graph.handle(for: identity, entity: entity.index))
  }

  /// The rows that temporary identities belonged to.
  var saved: [RowIdentity: Int] = [:]

  func row(_ handle: Int) -> ManagedRow {
    if let row = objects[handle]?.row { return row }
    let row = ManagedRow(
      self, handle, graph.entity(of: handle).entity, generation: generation)
    objects[handle] = WeakRow(row: row)
    return row
  }

  /// Whether a row belongs to the context and was not let go by `reset`.
  func owns(_ row: ManagedRow) -> Bool {
    row.context === self && row.generation == generation
  }

  /// Forgets all rows and all changes. Rows that were handed out are of no use
  /// any more.
  public func reset() {
    for object in objects.values { object.row?.letGo() }
    generation += 1
    graph = ContextGraph(layout)
    objects = [:]
    saved = [:]
    refreshed = []
    undoStack.clear()
    observers.tellFollowers()
  }

  /// Runs what changes rows: wholly or, where it throws, not at all.
  func operation<Result>(_ body: () throws -> Result) throws -> Result {
    let mark = graph.journal.count
    depth += 1
    do {
      let result = try body()
      depth -= 1
      if depth == 0 { finish() }
      return result
    } catch {
      graph.takeBack(to: mark)
      depth -= 1
      throw error
    }
  }

  private func finish() {
    let changes = graph.takeJournal()
    undoStack.record(changes)
    end(changes)
  }

  /// Tells everybody that a call has made changes, or may have.
  func end(_ changes: [GraphChange]) {
    let refreshed = self.refreshed
    self.refreshed = []
    guard !observers.isEmpty else { return }
    let changes = ContextChanges(changes, refreshed: refreshed, in: self)
    if !changes.isEmpty { observers.notify(changes) }
    observers.tellFollowers()
  }

  /// Tells everybody of rows that were read anew, if there are any.
  func endReading() {
    guard depth == 0 else { return }
    parent?.endReading()
    if !refreshed.isEmpty { end([]) }
  }

  /// How many rows were read anew of which nobody was told yet.
  var refreshedCount: Int { refreshed.count }

  /// Takes over rows that were read.
  @discardableResult
  func absorb(_ rows: [FetchedRow], of entity: EntityLayout) -> [Int] {
    let (handles, refreshed) = graph.absorb(rows, of: entity)
    markRefreshed(refreshed)
    return handles
  }

  /// Rows whose values were read anew.
  func markRefreshed(_ rows: [Int]) {
    if !observers.isEmpty { refreshed += rows }
  }
}

/// A row that lives for as long as somebody uses it.
private struct WeakRow {
  weak var row: ManagedRow?
}

/// A context that does not live on because it is a child.
struct WeakContext {
  weak var context: EditingContext?
}

extension ModelStore {
  /// Runs work with a context of its own, off the caller's thread and beside
  /// whatever else is done with the store.
  ///
  /// Nothing is saved unless the work does.
  ///
  /// - Throws: What the work throws.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (EditingContext) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Swift.Result { try body(EditingContext(self)) })
      }
    }
  }
}
