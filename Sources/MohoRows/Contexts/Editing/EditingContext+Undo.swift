extension EditingContext {
  /// The maximum number of groups that can be undone. When it is exceeded, the
  /// oldest groups are discarded. Nil means no limit, and 0 disables undo.
  public var undoLevels: Int? {
    get { undoStack.levels }
    set { undoStack.levels = newValue }
  }

  /// A Boolean value indicating whether there is a change to undo.
  public var canUndo: Bool { !undoStack.undoGroups.isEmpty || undoStack.depth > 0 }

  /// A Boolean value indicating whether there is a change to redo.
  public var canRedo: Bool { !undoStack.redoGroups.isEmpty }

  /// The name of the group that ``undo()`` would undo.
  public var undoName: String? { undoStack.undoGroups.last?.name }

  /// The name of the group that ``redo()`` would redo.
  public var redoName: String? { undoStack.redoGroups.last?.name }

  /// Begins an undo group. All changes until the end of the group are undone
  /// together. Groups can be nested.
  ///
  /// Without a group, each call that changes rows forms its own group, and
  /// successive changes of the same key form one group.
  public func beginUndoGroup(_ name: String? = nil) { undoStack.begin(name: name) }

  /// Ends the innermost undo group. Does nothing if there is no open group.
  public func endUndoGroup() { _ = undoStack.end() }

  /// Runs a closure whose changes are undone together.
  ///
  /// - Throws: The error of the closure. The changes before the error are not
  ///   undone.
  public func undoGroup<Result>(
    _ name: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    beginUndoGroup(name)
    defer { endUndoGroup() }
    return try body()
  }

  /// Undoes the last group of changes. An open group is ended first.
  ///
  /// Changes can be undone after they have been saved. Undoing a saved change
  /// is a new change that needs to be saved. Undoing a saved deletion inserts
  /// the row again, with a new identity.
  ///
  /// - Returns: True if a group was undone. Nothing is undone while the context
  ///   is being saved.
  @discardableResult
  public func undo() -> Bool {
    guard depth == 0, acceptsChanges, let group = undoStack.undo() else { return false }
    let changes = group.changes.reversed().map(\.inverted)
    for change in changes { graph.apply(change) }
    end(changes)
    return true
  }

  /// Redoes the group of changes that was undone last, unless other changes
  /// have been made since.
  ///
  /// - Returns: True if a group was redone.
  @discardableResult
  public func redo() -> Bool {
    guard depth == 0, acceptsChanges, let group = undoStack.redo() else { return false }
    for change in group.changes { graph.apply(change) }
    end(group.changes)
    return true
  }

  /// Discards all changes since the context was last saved, and clears the undo
  /// and redo stacks. This cannot be undone.
  public func rollback() {
    guard depth == 0, acceptsChanges else { return }
    let rows = graph.pending
    graph.rollback()
    refusedAssignments = []
    undoStack.clear()
    markRefreshed(rows.filter { graph[$0].isStored })
    end([])
  }
}
