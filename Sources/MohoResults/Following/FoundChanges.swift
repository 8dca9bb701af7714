import MohoChanges
import MohoMapping
import Synchronization

/// What tells two states apart: known, or found when it is first asked for.
final class FoundChanges: Sendable {
  private enum Content: Sendable {
    case known(ChangeSet)
    case open(@Sendable () -> ChangeSet)
  }

  private let content: Lock<Content>

  init(_ changes: ChangeSet) { content = Lock(.known(changes)) }

  init(_ finding: @escaping @Sendable () -> ChangeSet) { content = Lock(.open(finding)) }

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
