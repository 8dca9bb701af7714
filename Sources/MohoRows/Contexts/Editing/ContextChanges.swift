/// The changes that a call has made to the rows of a context.
public struct ContextChanges {
  /// The inserted rows, in insertion order.
  public internal(set) var inserted: [ManagedRow] = []
  /// The rows whose values or links have changed.
  public internal(set) var updated: [ManagedRow] = []
  /// The deleted rows, including new rows whose insertion was undone.
  public internal(set) var deleted: [ManagedRow] = []
  /// The rows whose values were read again or rolled back.
  public internal(set) var refreshed: [ManagedRow] = []

  /// A Boolean value indicating whether nothing has changed.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  init(_ changes: [GraphChange], refreshed: [Int], in context: EditingContext) {
    var born: [Int: Bool] = [:]
    var order: [Int] = []
    var seen: Set<Int> = []
    for change in changes {
      if seen.insert(change.row).inserted { order.append(change.row) }
      if case .existence(let row, let isAlive) = change {
        // A row that was inserted and deleted in the same call, or deleted and
        // inserted again, has not changed.
        born[row] = born[row] == nil ? isAlive : nil
      }
    }
    for row in order {
      switch born[row] {
      case true?: inserted.append(context.row(row))
      case false?: deleted.append(context.row(row))
      case nil: if context.graph[row].isAlive { updated.append(context.row(row)) }
      }
    }
    self.refreshed = refreshed.filter { !seen.contains($0) }.map { context.row($0) }
  }
}

/// The closures that observe a context and run before it is saved.
struct ContextObservers {
  private var handlers: [Int: (ContextChanges) -> Void] = [:]
  private var willSaveHandlers: [Int: (EditingContext) throws -> Void] = [:]
  private var followers: [Int: () -> Void] = [:]
  private var next = 0

  var isEmpty: Bool { handlers.isEmpty && followers.isEmpty }

  mutating func add(_ handler: @escaping (ContextChanges) -> Void) -> Int {
    next += 1
    handlers[next] = handler
    return next
  }

  mutating func add(_ willSave: @escaping (EditingContext) throws -> Void) -> Int {
    next += 1
    willSaveHandlers[next] = willSave
    return next
  }

  mutating func add(follower: @escaping () -> Void) -> Int {
    next += 1
    followers[next] = follower
    return next
  }

  mutating func remove(_ number: Int) {
    handlers[number] = nil
    willSaveHandlers[number] = nil
    followers[number] = nil
  }

  func notify(_ changes: ContextChanges) {
    for (_, handler) in handlers.sorted(by: { $0.key < $1.key }) { handler(changes) }
  }

  /// Calls the followers, which are observers that determine the changes
  /// themselves.
  func notifyFollowers() {
    for (_, follower) in followers.sorted(by: { $0.key < $1.key }) { follower() }
  }

  /// The closures to run before saving, in registration order.
  var beforeSaving: [(EditingContext) throws -> Void] {
    willSaveHandlers.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// An observation of an ``EditingContext``. The observation ends when it is
/// deallocated.
public final class ContextObservation {
  private weak var context: EditingContext?
  private let number: Int

  init(_ context: EditingContext, _ number: Int) {
    self.context = context
    self.number = number
  }

  /// Ends the observation.
  public func cancel() { context?.observers.remove(number) }

  deinit { cancel() }
}

extension EditingContext {
  /// Calls a closure after each call that has changed rows, until the returned
  /// observation is deallocated or canceled.
  ///
  /// The closure can change rows. It is called again for these changes. After 100
  /// calls inside each other, changing rows throws a ``StoreError``.
  public func onChange(_ handler: @escaping (ContextChanges) -> Void) -> ContextObservation {
    ContextObservation(self, observers.add(handler))
  }

  /// Calls a closure before the context is saved, until the returned
  /// observation is deallocated or canceled.
  ///
  /// The closure can change rows. All closures are then called again, until
  /// there are no further changes. If the closure throws, nothing is saved and
  /// its changes are undone.
  public func willSave(
    _ handler: @escaping (EditingContext) throws -> Void
  ) -> ContextObservation {
    ContextObservation(self, observers.add(handler))
  }

  /// Calls a closure after each call that may have changed the visible rows of
  /// the context, until the returned observation is deallocated or canceled.
  /// These calls include saving, ``reset()``, and fetches that read changed
  /// rows. The closure is called after the closures of ``onChange(_:)``.
  package func afterEachCall(_ follower: @escaping () -> Void) -> ContextObservation {
    ContextObservation(self, observers.add(follower: follower))
  }
}
