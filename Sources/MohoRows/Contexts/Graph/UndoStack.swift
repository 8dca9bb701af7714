/// The groups of changes that can be undone and redone. The type does not
/// depend on the kind of the changes.
struct UndoStack<Change: Sendable>: Sendable {
  struct Group: Sendable {
    var name: String?
    var changes: [Change]
    /// Whether a later change of the same key can be merged into the group.
    var isOpenToCoalescing = false
  }

  private(set) var undoGroups: [Group] = []
  private(set) var redoGroups: [Group] = []
  /// The group that is being recorded, and the number of open calls of `begin`.
  private var open = Group(name: nil, changes: [])
  private(set) var depth = 0
  private let coalesce: @Sendable (Change, Change) -> Change?

  /// The maximum number of groups. Nil means no limit, and 0 disables undo.
  var levels: Int? {
    didSet { trim() }
  }

  init(levels: Int? = nil, coalesce: @escaping @Sendable (Change, Change) -> Change?) {
    self.levels = levels
    self.coalesce = coalesce
  }

  /// Begins a group. A nested group becomes part of the outer group.
  mutating func begin(name: String?) {
    depth += 1
    open.name = open.name ?? name
  }

  /// Ends the innermost group.
  ///
  /// - Returns: Whether a group was open.
  mutating func end() -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    if depth == 0 { close() }
    return true
  }

  /// Ends all open groups.
  mutating func endAll() {
    guard depth > 0 else { return }
    depth = 0
    close()
  }

  private mutating func close() {
    let group = open
    open = Group(name: nil, changes: [])
    if !group.changes.isEmpty { push(group) }
  }

  /// Records changes in the open group, or as a separate group.
  mutating func record(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    redoGroups = []
    if depth > 0 {
      append(changes, to: &open)
    } else if changes.count == 1, let last = undoGroups.last, last.isOpenToCoalescing,
      let both = coalesce(last.changes[0], changes[0])
    {
      undoGroups[undoGroups.count - 1].changes = [both]
    } else {
      push(Group(name: nil, changes: changes, isOpenToCoalescing: changes.count == 1))
    }
  }

  private func append(_ changes: [Change], to group: inout Group) {
    for change in changes {
      if let last = group.changes.last, let both = coalesce(last, change) {
        group.changes[group.changes.count - 1] = both
      } else {
        group.changes.append(change)
      }
    }
  }

  private mutating func push(_ group: Group) {
    undoGroups.append(group)
    trim()
  }

  private mutating func trim() {
    if let levels, undoGroups.count > levels {
      undoGroups.removeFirst(undoGroups.count - max(0, levels))
    }
  }

  /// Prevents merging into the last group, so that later changes begin a new
  /// group.
  mutating func seal() {
    guard !undoGroups.isEmpty else { return }
    undoGroups[undoGroups.count - 1].isOpenToCoalescing = false
  }

  /// Removes the group to undo, makes it the next group to redo, and returns
  /// it.
  mutating func undo() -> Group? {
    endAll()
    guard let group = undoGroups.popLast() else { return nil }
    redoGroups.append(group)
    seal()
    return group
  }

  /// Removes the group to redo, makes it the next group to undo, and returns
  /// it.
  mutating func redo() -> Group? {
    guard var group = redoGroups.popLast() else { return nil }
    group.isOpenToCoalescing = false
    push(group)
    return group
  }

  /// Removes all groups. Open groups stay open and become empty.
  mutating func clear() {
    undoGroups = []
    redoGroups = []
    open.changes = []
  }
}
