import Synchronization

/// Objects that are expensive to create and that no call uses at the moment.
///
/// Take an object, or create one if there is none, and add it after its last use. Calls on
/// several threads, and nested calls, use different objects.
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
