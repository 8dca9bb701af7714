import Dispatch
import Moho

/// Runs edits and imports one after another, outside of the threads of tasks.
final class EditingQueue: Sendable {
  private let queue = DispatchQueue(label: "episode-feed.editing")
  private let desk: EditingDesk

  init(_ store: ModelStore) { desk = EditingDesk(store) }

  func perform<Result: Sendable>(
    _ edit: @escaping @Sendable (EditingDesk) throws -> Result
  ) async throws -> Result {
    try await Blocking.run(on: queue) { [desk] in try edit(desk) }
  }
}

/// The editor of a queue.
// `@unchecked`: only the queue uses the editor.
final class EditingDesk: @unchecked Sendable {
  private let editor: EpisodeEditor
  private let store: ModelStore

  init(_ store: ModelStore) {
    self.store = store
    editor = EpisodeEditor(store)
  }

  /// Applies a change, if the episode still has the values that the user saw.
  func apply(_ change: EpisodeChange, to rowID: Int64) throws -> CommandMessage {
    _ = try episode(rowID)
    // Saving compares the store with the values that the editor reads here.
    _ = try editor.perform(.begin(rowID))
    let stored = try episode(rowID)
    guard change.isBased(on: stored) else { throw PageError(conflictOf: change, with: stored) }
    do {
      if let title = change.title { _ = try editor.perform(.setTitle(rowID, title)) }
      if let isPlayed = change.isPlayed { _ = try editor.perform(.setPlayed(rowID, isPlayed)) }
    } catch is ConflictError {
      throw PageError(conflictOf: change, with: try episode(rowID))
    }
    return CommandMessage()
  }

  /// Deletes an episode.
  func delete(_ rowID: Int64) throws -> CommandMessage {
    _ = try episode(rowID)
    return try perform(.delete(rowID))
  }

  /// Undoes or redoes a step.
  func perform(_ edit: EpisodeEdit) throws -> CommandMessage {
    let outcome = try editor.perform(edit)
    return CommandMessage(message: PageError.sentence(outcome.message), rowID: outcome.rowID)
  }

  /// Reads an episode. The editor would discard its steps if the row does not
  /// exist.
  private func episode(_ rowID: Int64) throws -> Episode {
    try store.read { try $0.episode(rowID) }
  }
}

/// Runs work that blocks its thread.
enum Blocking {
  static func run<Result: Sendable>(
    on queue: DispatchQueue = .global(), _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
