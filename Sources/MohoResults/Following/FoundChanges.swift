import MohoChanges
import Synchronization

/// What tells two states apart: known, or found when it is first asked for.
final class FoundChanges: Sendable {
  private enum Content: Sendable {
    case known(ChangeSet)
    case open(@Sendable () -> ChangeSet)
  }

  private let content: Mutex<Content>

  init(_ changes: ChangeSet) { content = Mutex(.known(changes)) }

  init(_ finding: @escaping @Sendable () -> ChangeSet) { content = Mutex(.open(finding)) }

  var value: ChangeSet {
    content.withLock { content in
      switch content {
      case .known(let changes): return changes
      case .open(let find):
        let changes = find()
        content = .known(changes)
        return changes
      }
    }
  }
}
