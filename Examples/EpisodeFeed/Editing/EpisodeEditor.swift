import Moho
import TextTables

/// An edit of an episode in a list, or an undo step.
public enum EpisodeEdit: Hashable, Sendable {
  /// Starts to edit a row: reads its current values.
  case begin(Int64)
  /// Changes the title of a row.
  case setTitle(Int64, String)
  /// Marks a row as played, or as not played.
  case setPlayed(Int64, Bool)
  /// Marks a row as played if it is not, or as not played if it is.
  case togglePlayed(Int64)
  /// Marks those rows of a list as played, or as not played, that are not yet.
  case setAllPlayed(EpisodeList, rowIDs: [Int64], Bool)
  /// Deletes a row.
  case delete(Int64)
  /// Undoes the last edit.
  case undo
  /// Redoes the edit that was undone last.
  case redo
}

/// Performs and saves edits one at a time, with undo and redo.
///
/// Changes by other programs are preserved. If another program has changed the
/// same key, an edit fails the first time, and overwrites the key when it is
/// performed again.
public final class EpisodeEditor {
  /// The result of an edit.
  public struct Outcome: Hashable, Sendable {
    /// A message for the user; empty if the result is visible in the list.
    public var message = ""
    /// The edited row, unless it was deleted.
    public var rowID: Int64?
  }

  private let context: EditingContext

  /// Creates an editor of a store's episodes.
  public init(_ store: ModelStore) { context = EditingContext(store) }

  /// Performs and saves an edit.
  ///
  /// - Throws: ``FeedError`` if a title is not valid, `RowValidationError` with all
  ///   failures, `ConflictError` if another program has changed the same key,
  ///   or `StoreError`. The store is unchanged then.
  public func perform(_ edit: EpisodeEdit) throws -> Outcome {
    switch edit {
    case .begin(let rowID):
      try refresh(episode(rowID).row)
      return Outcome(rowID: rowID)
    case .setTitle(let rowID, let title):
      let episode = try episode(rowID)
      var renamed = Episode(id: "", title: try episode.title)
      try renamed.rename(title)
      return try step("renamed \(name(of: episode))", episode) {
        try episode.set(\.title, to: renamed.title)
      }
    case .setPlayed(let rowID, let isPlayed):
      let episode = try episode(rowID)
      try refresh(episode.row)
      return try mark(episode, isPlayed: isPlayed)
    case .togglePlayed(let rowID):
      let episode = try episode(rowID)
      try refresh(episode.row)
      return try mark(episode, isPlayed: !episode.isPlayed)
    case .setAllPlayed(let list, let rowIDs, let isPlayed):
      return try markAll(rowIDs, of: list, isPlayed: isPlayed)
    case .delete(let rowID):
      let episode = try episode(rowID)
      try refresh(episode.row)
      return try step("deleted \(name(of: episode))", episode) { try context.delete(episode) }
    case .undo:
      let name = context.undoName ?? ""
      return try undoOrRedo("undone: \(name)", { context.undo() }, reverting: { context.redo() })
        ?? Outcome(message: "nothing to undo")
    case .redo:
      let name = context.redoName ?? ""
      return try undoOrRedo("redone: \(name)", { context.redo() }, reverting: { context.undo() })
        ?? Outcome(message: "nothing to redo")
    }
  }

  private func episode(_ rowID: Int64) throws -> ModelRow<Episode> {
    try ModelRow(context.row(RowIdentity(entity: Episode.mapping.name, stored: rowID)))
  }

  private func name(of episode: ModelRow<Episode>) throws -> String {
    let title = try episode.title
    return try "“\(VisibleText.escaped(title.isEmpty ? episode.id : title))”"
  }

  private func mark(_ episode: ModelRow<Episode>, isPlayed: Bool) throws -> Outcome {
    let name = try "marked \(name(of: episode)) as \(isPlayed ? "played" : "not played")"
    return try step(name, episode) { try episode.set(\.isPlayed, to: isPlayed) }
  }

  private func markAll(_ rowIDs: [Int64], of list: EpisodeList, isPlayed: Bool) throws -> Outcome {
    let wanted = Set(rowIDs)
    let episodes = try context.fetch(list.request(isPlayed: !isPlayed))
      .filter { wanted.contains($0.row.identity.stored ?? 0) }
    let state = isPlayed ? "played" : "not played"
    guard !episodes.isEmpty else { return Outcome(message: "all episodes are \(state) already") }
    let name = "marked \(episodes.count) episode\(episodes.count == 1 ? "" : "s") as \(state)"
    try context.undoGroup(name) {
      for episode in episodes { try episode.set(\.isPlayed, to: isPlayed) }
    }
    try save { context.undo() }
    return Outcome(message: name)
  }

  /// Makes a change as one undo step, and saves it.
  private func step(
    _ name: String, _ episode: ModelRow<Episode>, _ change: () throws -> Void
  ) throws -> Outcome {
    let row = episode.row
    try context.undoGroup(name) { try change() }
    guard context.hasChanges else { return Outcome(rowID: row.identity.stored) }
    try save { context.undo() }
    return Outcome(message: name, rowID: row.state == .unchanged ? row.identity.stored : nil)
  }

  /// Undoes or redoes a step, and saves the result.
  ///
  /// - Returns: Nil if there was nothing to undo or redo.
  private func undoOrRedo(
    _ message: String, _ change: () -> Bool, reverting revert: () -> Bool
  ) throws -> Outcome? {
    var touched: [ManagedRow] = []
    let observation = context.onChange { touched += $0.inserted + $0.updated }
    guard change() else { return nil }
    observation.cancel()
    try save { _ = revert() }
    // A step that changed several rows selects none of them.
    let rows = Set(touched)
    let row = rows.count == 1 ? rows.first { $0.state == .unchanged } : nil
    return Outcome(message: message, rowID: row?.identity.stored)
  }

  /// Saves the context. Reverts the changes if saving fails.
  private func save(reverting revert: () -> Void) throws {
    do {
      do {
        try context.save()
      } catch let error as ConflictError where !error.concernsChanges(in: context) {
        // The other program changed other keys: save both changes.
        context.conflictPolicy = .perKey
        defer { context.conflictPolicy = .error }
        try context.save()
      }
    } catch {
      let conflicts = (error as? ConflictError)?.conflicts ?? []
      revert()
      // The next attempt starts from the current values in the store.
      for conflict in conflicts { try refresh(context.row(conflict.row)) }
      throw error
    }
  }

  /// Reads the current values of a row from the store.
  private func refresh(_ row: ManagedRow) throws {
    do {
      try context.refresh(row)
    } catch let error as StoreError where error.code == .rowNotFound {
      // Steps that changed the row can no longer be undone.
      context.reset()
      throw error
    }
  }
}

extension ConflictError {
  /// Whether a row was deleted, or a key conflicts that the context has
  /// changed.
  fileprivate func concernsChanges(in context: EditingContext) -> Bool {
    conflicts.contains { conflict in
      guard conflict.kind == .changed, let row = try? context.row(conflict.row),
        row.state == .updated
      else { return true }
      return !Set(row.changedKeys).isDisjoint(with: conflict.keys.map(\.key))
    }
  }
}
