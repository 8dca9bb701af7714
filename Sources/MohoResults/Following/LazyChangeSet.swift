import MohoChanges
import MohoMapping
import Synchronization

/// The changes between two states. They are provided at creation or computed on
/// first access.
final class LazyChangeSet: Sendable {
  private enum State: Sendable {
    case known(ChangeSet)
    case deferred(@Sendable () -> ChangeSet)
  }

  private let state: Lock<State>

  init(_ changes: ChangeSet) { state = Lock(.known(changes)) }

  init(_ compute: @escaping @Sendable () -> ChangeSet) { state = Lock(.deferred(compute)) }

  var value: ChangeSet {
    state.withLock { state in
      switch state {
      case .known(let changes): return changes
      case .deferred(let compute):
        let changes = compute()
        state = .known(changes)
        return changes
      }
    }
  }
}
