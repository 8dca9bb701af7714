import Moho
import TextTables

/// Edits episodes one step at a time, each saved at once, and takes steps back.
///
/// What another program has changed meanwhile stays: an edit of the same key
/// fails, and can be made again, knowing that.
public final class EpisodeEditor {
  /// What an edit came to.
  public struct Outcome: Hashable, Sendable {
    /// What was done, as people say it; empty where that shows.
    public var message = ""
    /// The row that it was done to, if it is there.
    public var rowID: Int64?
  }

  private let context: EditingContext

  /// Makes an editor of a store's episodes.
  public init(_ store: ModelStore) { context = EditingContext(store) }

  /// Does an edit and saves it.
  ///
  /// - Throws: ``FeedError`` if a title is empty, `ValidationError` with all that is wrong, `ConflictError` where
  ///   another program has changed the same, `StoreError`. The store is as it
  ///   was then.
  public func perform(_ edit: EpisodeEdit) throws -> Outcome {
    switch edit {
    case .begin(let rowID):
      try refresh(row(rowID))
      return Outcome(rowID: rowID)
    case .setTitle(let rowID, let title):
      let row = try row(rowID)
      var episode = Episode(id: "", title: try row[\Episode.title])
      try episode.rename(title)
      return try step("title of \(name(of: row))", row) { row in
        try row.set(\Episode.title, to: episode.title)
      }
    case .togglePlayed(let rowID):
      let row = try row(rowID)
      try refresh(row)
      let isPlayed = try !row[\Episode.isPlayed]
      return try step("\(isPlayed ? "played" : "not played"): \(name(of: row))", row) { row in
        try row.set(\Episode.isPlayed, to: isPlayed)
      }
    case .delete(let rowID):
      let row = try row(rowID)
      try refresh(row)
      return try step("deleted: \(name(of: row))", row) { try context.delete($0) }
    case .undo:
      let name = context.undoName ?? ""
      return try travel("undone: \(name)", { context.undo() }, back: { context.redo() })
        ?? Outcome(message: "nothing to undo")
    case .redo:
      let name = context.redoName ?? ""
      return try travel("redone: \(name)", { context.redo() }, back: { context.undo() })
        ?? Outcome(message: "nothing to redo")
    }
  }

  private func row(_ rowID: Int64) throws -> ManagedRow {
    try context.row(RowIdentity(entity: Episode.mapping.name, stored: rowID))
  }

  private func name(of row: ManagedRow) throws -> String {
    let title = try row[\Episode.title]
    return try "“\(VisibleText.escaped(title.isEmpty ? row[\Episode.id] : title))”"
  }

  /// Makes a change that can be undone, and saves it.
  private func step(
    _ name: String, _ row: ManagedRow, _ change: (ManagedRow) throws -> Void
  ) throws -> Outcome {
    try context.undoGroup(name) { try change(row) }
    guard context.hasChanges else { return Outcome(rowID: row.identity.stored) }
    try save { context.undo() }
    return Outcome(message: name, rowID: row.state == .unchanged ? row.identity.stored : nil)
  }

  /// Undoes or redoes a step, and saves that.
  ///
  /// - Returns: Nil where there is none.
  private func travel(
    _ message: String, _ way: () -> Bool, back: () -> Bool
  ) throws -> Outcome? {
    var touched: [ManagedRow] = []
    let observation = context.onChange { touched += $0.inserted + $0.updated }
    guard way() else { return nil }
    observation.cancel()
    try save { _ = back() }
    let row = touched.last { $0.state == .unchanged }
    return Outcome(message: message, rowID: row?.identity.stored)
  }

  /// Saves what was changed, or takes it back.
  private func save(_ takeBack: () -> Void) throws {
    do {
      do {
        try context.save()
      } catch let error as ConflictError where !error.isAboutChanges(in: context) {
        // Other keys of the row: both changes stay.
        context.conflictPolicy = .perKey
        defer { context.conflictPolicy = .error }
        try context.save()
      }
    } catch {
      let conflicts = (error as? ConflictError)?.conflicts ?? []
      takeBack()
      // The next try is on what the store has now.
      for conflict in conflicts { try refresh(context.row(conflict.row)) }
      throw error
    }
  }

  /// Takes the values that the store has now of a row.
  private func refresh(_ row: ManagedRow) throws {
    do {
      try context.refresh(row)
    } catch let error as StoreError where error.code == .rowIsGone {
      // No step can be taken back that it had a part in.
      context.reset()
      throw error
    }
  }
}

extension ConflictError {
  /// Whether rows are gone, or have other values of keys that a context has
  /// changed.
  fileprivate func isAboutChanges(in context: EditingContext) -> Bool {
    conflicts.contains { conflict in
      guard conflict.kind == .changed, let row = try? context.row(conflict.row),
        row.state == .updated
      else { return true }
      return !Set(row.changedKeys).isDisjoint(with: conflict.keys.map(\.key))
    }
  }
}
