/// What a call has changed in a context.
public struct ContextChanges {
  /// Rows that are new, in the order in which they were made.
  public internal(set) var inserted: [ManagedRow] = []
  /// Rows that have other values or links.
  public internal(set) var updated: [ManagedRow] = []
  /// Rows that are to be deleted, or whose insertion was taken back.
  public internal(set) var deleted: [ManagedRow] = []
  /// Rows whose values were read anew, or were rolled back.
  public internal(set) var refreshed: [ManagedRow] = []

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  init(_ changes: [GraphChange], refreshed: [Int], in context: EditingContext) {
    var born: [Int: Bool] = [:]
    var order: [Int] = []
    var seen: Set<Int> = []
    for change in changes {
      if seen.insert(change.row).inserted { order.append(change.row) }
      if case .life(let row, let isAlive) = change {
        // Twice is back to where it was.
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

/// Who is told of changes and asked before saving.
struct ContextObservers {
  private var handlers: [Int: (ContextChanges) -> Void] = [:]
  private var savers: [Int: (EditingContext) throws -> Void] = [:]
  private var followers: [Int: () -> Void] = [:]
  private var next = 0

  var isEmpty: Bool { handlers.isEmpty && followers.isEmpty }

  mutating func add(_ handler: @escaping (ContextChanges) -> Void) -> Int {
    next += 1
    handlers[next] = handler
    return next
  }

  mutating func add(_ saver: @escaping (EditingContext) throws -> Void) -> Int {
    next += 1
    savers[next] = saver
    return next
  }

  mutating func add(follower: @escaping () -> Void) -> Int {
    next += 1
    followers[next] = follower
    return next
  }

  mutating func remove(_ number: Int) {
    handlers[number] = nil
    savers[number] = nil
    followers[number] = nil
  }

  func notify(_ changes: ContextChanges) {
    for (_, handler) in handlers.sorted(by: { $0.key < $1.key }) { handler(changes) }
  }

  /// Tells those who look for themselves that something may have changed.
  func tellFollowers() {
    for (_, follower) in followers.sorted(by: { $0.key < $1.key }) { follower() }
  }

  /// What runs before saving, in the order in which it was added.
  var beforeSaving: [(EditingContext) throws -> Void] {
    savers.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// What a context was asked to tell or to run, for as long as it is kept.
public final class ContextObservation {
  private weak var context: EditingContext?
  private let number: Int

  init(_ context: EditingContext, _ number: Int) {
    self.context = context
    self.number = number
  }

  /// Ends it before it is let go.
  public func cancel() { context?.observers.remove(number) }

  deinit { cancel() }
}

extension EditingContext {
  /// Calls a closure after each call that has changed rows, for as long as what
  /// is returned is kept.
  ///
  /// The closure may change rows itself, of which it is told in turn.
  public func onChange(_ handler: @escaping (ContextChanges) -> Void) -> ContextObservation {
    ContextObservation(self, observers.add(handler))
  }

  /// Calls a closure before the context is saved, for as long as what is
  /// returned is kept.
  ///
  /// The closure may change rows; it is called again then, until nothing
  /// changes. Where it throws, nothing is saved, and what it changed is taken
  /// back.
  public func willSave(
    _ handler: @escaping (EditingContext) throws -> Void
  ) -> ContextObservation {
    ContextObservation(self, observers.add(handler))
  }

  /// Calls a closure after each call that may have changed what the context
  /// shows, saving, ``reset()`` and reading rows anew that have changed among
  /// them, for as long as what is returned is kept: behind those who are told of
  /// changes.
  package func afterEachCall(_ follower: @escaping () -> Void) -> ContextObservation {
    ContextObservation(self, observers.add(follower: follower))
  }
}
