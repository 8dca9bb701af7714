/// What can be undone and redone: groups of changes, as a value that knows
/// nothing of what they change.
struct UndoStack<Change: Sendable>: Sendable {
  struct Group: Sendable {
    var name: String?
    var changes: [Change]
    /// Whether a later change of the same key may become part of it.
    var isOpenToCoalescing = false
  }

  private(set) var undoGroups: [Group] = []
  private(set) var redoGroups: [Group] = []
  /// The group that is being recorded, and how many begins await their ends.
  private var open = Group(name: nil, changes: [])
  private(set) var depth = 0
  private let coalesce: @Sendable (Change, Change) -> Change?

  /// How many groups are kept at most; nil for any number, 0 for none.
  var levels: Int? {
    didSet { trim() }
  }

  init(levels: Int? = nil, coalesce: @escaping @Sendable (Change, Change) -> Change?) {
    self.levels = levels
    self.coalesce = coalesce
  }

  /// Begins a group. Groups inside of it are part of it.
  mutating func begin(name: String?) {
    depth += 1
    open.name = open.name ?? name
  }

  /// Ends the group that was begun last.
  ///
  /// - Returns: Whether there was one.
  mutating func end() -> Bool {
    guard depth > 0 else { return false }
    depth -= 1
    if depth == 0 { close() }
    return true
  }

  /// Ends all groups that were begun.
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

  /// Records changes that were made: as part of the open group, or as one of
  /// their own.
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

  /// Keeps what follows apart from what was recorded last.
  mutating func seal() {
    guard !undoGroups.isEmpty else { return }
    undoGroups[undoGroups.count - 1].isOpenToCoalescing = false
  }

  /// The group to take back, which can be redone from now on.
  mutating func undo() -> Group? {
    endAll()
    guard let group = undoGroups.popLast() else { return nil }
    redoGroups.append(group)
    seal()
    return group
  }

  /// The group to make again, which can be undone from now on.
  mutating func redo() -> Group? {
    guard var group = redoGroups.popLast() else { return nil }
    group.isOpenToCoalescing = false
    push(group)
    return group
  }

  /// Forgets all groups; those that were begun go on, empty.
  mutating func clear() {
    undoGroups = []
    redoGroups = []
    open.changes = []
  }
}
