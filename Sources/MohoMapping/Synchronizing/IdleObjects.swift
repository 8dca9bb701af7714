import Synchronization

/// Objects that are expensive to create and that no call uses at the moment.
///
/// A call takes an object, or creates one if there is none, and adds it when it no longer
/// needs it. Calls on several threads, or inside each other, use different objects.
// Not a property wrapper or a closure that lends an object: iterators use theirs for longer
// than one call.
package final class IdleObjects<Object: AnyObject>: Sendable {
  // SAFETY: An object is either here or used by the call that has taken it.
  private struct Idle: @unchecked Sendable {
    let object: Object
  }

  private let idle = Lock<[Idle]>([])
  private let maxCount: Int

  package init(maxCount: Int = 16) { self.maxCount = maxCount }

  /// Removes the object that was added last.
  package func take() -> Object? { take { _ in true } }

  /// Removes an object that meets a condition.
  package func take(where isSuitable: (Object) -> Bool) -> Object? {
    idle.withLock { idle -> Idle? in
      guard let index = idle.lastIndex(where: { isSuitable($0.object) }) else { return nil }
      return idle.remove(at: index)
    }?.object
  }

  /// Adds an object that nothing uses anymore, instead of the oldest one if there are enough.
  package func add(_ object: Object) {
    let added = Idle(object: object)
    // Released after the lock.
    let oldest = idle.withLock { idle -> Idle? in
      let oldest = idle.count < maxCount ? nil : idle.removeFirst()
      idle.append(added)
      return oldest
    }
    withExtendedLifetime(oldest) {}
  }
}
