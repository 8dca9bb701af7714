extension EditingContext {
  /// How many groups of changes can be undone at most; nil for any number, 0
  /// for none. The oldest go first.
  public var undoLevels: Int? {
    get { undoStack.levels }
    set { undoStack.levels = newValue }
  }

  /// Whether there is a change to undo.
  public var canUndo: Bool { !undoStack.undoGroups.isEmpty || undoStack.depth > 0 }

  /// Whether there is a change to redo.
  public var canRedo: Bool { !undoStack.redoGroups.isEmpty }

  /// The name of the group that would be undone.
  public var undoName: String? { undoStack.undoGroups.last?.name }

  /// The name of the group that would be redone.
  public var redoName: String? { undoStack.redoGroups.last?.name }

  /// Begins a group: all changes up to its end are undone together.
  ///
  /// Without a group, each call that changes rows is one; successive changes of
  /// one key are one too.
  public func beginUndoGroup(_ name: String? = nil) { undoStack.begin(name: name) }

  /// Ends the group that was begun last. Nothing happens where there is none.
  public func endUndoGroup() { _ = undoStack.end() }

  /// Runs changes that are undone together.
  ///
  /// - Throws: What the closure throws; what it changed before stays.
  public func undoGroup<Result>(
    _ name: String? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    beginUndoGroup(name)
    defer { endUndoGroup() }
    return try body()
  }

  /// Takes back the last group of changes; one that is not ended yet ends.
  ///
  /// Saving does not end what can be undone: taking back what was saved is a
  /// change, to be saved again. A row whose deletion was saved is inserted
  /// again, with another identity.
  ///
  /// - Returns: Whether there was one. Nothing is undone while the context is
  ///   being saved.
  @discardableResult
  public func undo() -> Bool {
    guard depth == 0, let group = undoStack.undo() else { return false }
    let changes = group.changes.reversed().map(\.inverted)
    for change in changes { graph.apply(change) }
    end(changes)
    return true
  }

  /// Makes the changes again that were undone last, unless others were made
  /// since.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func redo() -> Bool {
    guard depth == 0, let group = undoStack.redo() else { return false }
    for change in group.changes { graph.apply(change) }
    end(group.changes)
    return true
  }

  /// Takes back all that was changed since the context was saved last. This
  /// cannot be undone, nor can what was before it.
  public func rollback() {
    guard depth == 0 else { return }
    let rows = graph.pending
    graph.rollback()
    undoStack.clear()
    markRefreshed(rows.filter { graph[$0].isStored })
    end([])
  }
}
