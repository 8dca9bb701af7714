import Dispatch
import MohoMapping

/// A context for inserting, changing, linking and deleting rows in memory.
/// ``save()`` writes the changes to the store.
///
/// ```swift
/// let context = EditingContext(store)
/// let episode = try context.insert(Episode.self)
/// episode.title = "Basalt"
/// try context.save()
/// ```
///
/// **Guarantees**
///
/// - A row is represented by one ``ManagedRow`` as long as that instance
///   exists, regardless of how it was accessed.
/// - Fetched results include the unsaved changes of the context.
/// - A call that changes rows changes all of them or, if it throws, none of
///   them. It can be undone.
/// - Saving validates all changes before it writes the first one, and reports
///   all failures in one error. If saving fails, the context and the store are
///   unchanged.
/// - Faults of rows that were fetched together are read together, and so are
///   their links: one statement for up to 500 rows.
/// - Conflicts with other contexts, other processes and raw SQL are detected. A
///   context retains the values of each row as it was read, and saving writes a
///   row only if the store still contains these values. Tables do not need a
///   version column. ``conflictPolicy`` defines how to resolve conflicts.
///
/// **Limits**
///
/// - A context locks nothing. Rows that are read at different times can come
///   from different states of the store.
/// - Values stay in memory until ``reset()``.
/// - Links that are added and removed one by one are merged with the links of the
///   store when they are saved. Links that are assigned or moved cause a conflict if
///   the store has other links than those that were read.
/// - Changing an ordered relationship reads all of its links. Moving a row can
///   update the positions of all rows that follow.
/// - At most 128 contexts can be nested. A context that is nested deeper has no
///   rows, and calls that change or save it throw a ``StoreError``.
///
/// Not `Sendable`: a context and its rows stay in the isolation domain where
/// they were created. ``ModelStore/perform(_:)`` runs work with a context off
/// the caller's thread.
public final class EditingContext {
  /// The store that changes are finally saved to.
  public let store: ModelStore

  /// The context that changes are saved to, or nil if they are saved to the
  /// store.
  public let parent: EditingContext?

  /// The resolution of conflicts with rows that have changed in the store since
  /// they were read.
  public var conflictPolicy: ConflictPolicy = .error

  /// The author of saved changes in the history of the store. A child context
  /// saves with the author of the context that writes to the store.
  public var author: String?

  package let schema: CompiledSchema
  let source: any RowSource
  package var graph: ContextGraph
  var undoStack = UndoStack<GraphChange> { $0.coalesced(with: $1) }
  var observers = ContextObservers()
  var children: [WeakContext] = []
  private var objects: [Int: WeakRow] = [:]
  private var generation = 0
  package private(set) var depth = 0
  /// The number of contexts that are nested, including this one.
  private let nestingLevel: Int
  /// The number of notifications of changes that are running inside each other.
  private var notificationDepth = 0
  private var refreshed: [Int] = []
  /// The graph before its links were merged with those of the store, while the
  /// context is being saved.
  var unmerged: ContextGraph?
  /// The assignments that rows have refused since the context was last saved.
  var refusedAssignments: [ValidationFailure] = []
  /// The first error from reading rows while they were filtered in memory.
  var readError: (any Error)?

  /// Creates an empty context for a store.
  public init(_ store: ModelStore) {
    self.store = store
    source = StoreSource(store)
    parent = nil
    nestingLevel = 1
    schema = store.schema.compiled
    graph = ContextGraph(schema)
  }

  /// Creates a child context. It reads the rows of its parent, including
  /// unsaved changes, and saves its changes to the parent.
  public init(childOf parent: EditingContext) {
    store = parent.store
    schema = parent.schema
    graph = ContextGraph(parent.schema)
    nestingLevel = parent.nestingLevel + 1
    guard nestingLevel <= NestingDepth.limit else {
      self.parent = nil
      source = RefusingSource()
      return
    }
    self.parent = parent
    source = ParentSource(parent)
    parent.children.removeAll { $0.context == nil }
    parent.children.append(WeakContext(context: self))
  }

  /// Returns the row with an identity. Its values are read when they are first
  /// accessed.
  ///
  /// Until ``reset()``, a row that has been saved can also be accessed by its
  /// former temporary identity.
  ///
  /// - Throws: A ``StoreError`` if the store does not have the entity, or if
  ///   the context has no row with the temporary identity.
  public func row(_ identity: RowIdentity) throws -> ManagedRow {
    let entity = try schema.requireEntity(identity.entity)
    if let handle = graph.handles[identity] ?? saved[identity] { return row(handle) }
    if identity.isTemporary {
      let rows = try source.rows(of: entity, [identity])
      guard let handle = register(rows, of: entity).first else {
        throw StoreError(.invalidRequest, reason: "the context has no row \(identity)")
      }
      return row(handle)
    }
    return row(graph.handle(for: identity, entity: entity.index))
  }

  /// The saved rows by their former temporary identities.
  package var saved: [RowIdentity: Int] = [:]

  func row(_ handle: Int) -> ManagedRow {
    if let row = objects[handle]?.row { return row }
    let row = ManagedRow(
      self, handle, graph.entity(of: handle).entity, generation: generation)
    objects[handle] = WeakRow(row: row)
    return row
  }

  /// Whether a row belongs to the context and was created after the last reset.
  func owns(_ row: ManagedRow) -> Bool {
    row.context === self && row.generation == generation
  }

  /// Discards all rows and all changes. The rows of the context become invalid.
  public func reset() {
    for object in objects.values { object.row?.detach() }
    generation += 1
    graph = ContextGraph(schema)
    objects = [:]
    saved = [:]
    refreshed = []
    refusedAssignments = []
    undoStack.clear()
    observers.notifyFollowers()
  }

  /// Runs a closure that changes rows. If the closure throws, its changes are
  /// undone.
  func operation<Result>(_ body: () throws -> Result) throws -> Result {
    guard nestingLevel <= NestingDepth.limit else { throw RefusingSource.error }
    guard acceptsChanges else {
      throw StoreError(
        .invalidRequest, reason: "`onChange` closures change rows on every call",
        suggestion: "change a row only if its value differs")
    }
    let mark = graph.journal.count
    depth += 1
    do {
      let result = try body()
      depth -= 1
      if depth == 0 { finish() }
      return result
    } catch {
      graph.revert(to: mark)
      depth -= 1
      throw error
    }
  }

  /// Whether rows can be changed. Observers that change rows are notified of their
  /// own changes, which is recursive.
  var acceptsChanges: Bool { notificationDepth < 100 }

  private func finish() {
    let changes = graph.takeJournal()
    undoStack.record(changes)
    end(changes)
  }

  /// Notifies the observers after a call that has changed rows or may have done
  /// so.
  func end(_ changes: [GraphChange]) {
    let refreshed = self.refreshed
    self.refreshed = []
    guard !observers.isEmpty else { return }
    notificationDepth += 1
    defer { notificationDepth -= 1 }
    let changes = ContextChanges(changes, refreshed: refreshed, in: self)
    if !changes.isEmpty { observers.notify(changes) }
    observers.notifyFollowers()
  }

  /// Notifies the observers of rows that have been read again, if there are
  /// any.
  func endReading() {
    guard depth == 0 else { return }
    parent?.endReading()
    if !refreshed.isEmpty { end([]) }
  }

  /// The number of rows that have been read again and not been reported yet.
  package var refreshedCount: Int { refreshed.count }

  /// Adds fetched rows to the context.
  @discardableResult
  func register(_ rows: [FetchedRow], of entity: CompiledEntity) -> [Int] {
    let (handles, refreshed) = graph.register(rows, of: entity)
    markRefreshed(refreshed)
    return handles
  }

  /// Records rows whose values have been read again.
  func markRefreshed(_ rows: [Int]) {
    if !observers.isEmpty { refreshed += rows }
  }
}

private struct WeakRow {
  weak var row: ManagedRow?
}

/// A weak reference to a child context.
struct WeakContext {
  weak var context: EditingContext?
}

extension ModelStore {
  /// Runs a closure with a new context, off the caller's thread and
  /// concurrently with other accesses to the store.
  ///
  /// The closure must call ``EditingContext/save()`` to save its changes.
  ///
  /// - Throws: The error of the closure.
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
