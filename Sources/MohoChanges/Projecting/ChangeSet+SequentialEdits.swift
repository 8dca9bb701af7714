extension ChangeSet {
  /// Returns the change set as a sequence of steps. The paths of each step
  /// refer to the list after the previous step.
  ///
  /// The order of the steps is:
  ///
  /// 1. Rows are deleted, from last to first.
  /// 2. Sections are inserted.
  /// 3. Rows are inserted and moved to their final positions, from first to
  ///    last.
  /// 4. Sections are deleted, from last to first.
  /// 5. Cells whose content changed are reconfigured, including those of moved
  ///    rows, and then the headers of sections whose summary changed.
  ///
  /// No cell is reloaded. A view that animates all steps together shows a move
  /// and its new content in one animation. The number of moves equals that of
  /// the change set, and no move has equal source and target.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  /// - Complexity: O(*k* log *n*) for *k* records.
  public func sequentialEdits(from old: OrderedIndex, to new: OrderedIndex) -> [SequentialEdit] {
    var replay = SequentialReplay(list: old, new: new, union: SectionUnion(sections))
    for change in rows.reversed() where change.kind == .delete { replay.delete(change) }
    for section in sections where section.kind == .insert { replay.insert(section) }
    for change in rows { replay.insertOrMove(change) }
    for section in sections.reversed() where section.kind == .delete { replay.delete(section) }
    for change in rows {
      guard let path = change.new, change.old != nil, change.content != .unchanged else { continue }
      replay.edits.append(.reconfigureRow(path, changedKeys: change.changedKeys))
    }
    for section in sections where section.kind == .update {
      replay.edits.append(.reconfigureSection(section.index, changedKeys: section.changedKeys))
    }
    return replay.edits
  }
}

/// Records steps and applies each of them to an index, which provides the paths
/// of the list between steps.
private struct SequentialReplay {
  var list: OrderedIndex
  let new: OrderedIndex
  let union: SectionUnion
  var edits: [SequentialEdit] = []

  mutating func delete(_ change: RowChange) {
    if let path = list.remove(change.rowID) { edits.append(.deleteRow(path)) }
  }

  mutating func insert(_ section: SectionChange) {
    let number = min(union.index(ofNew: section.index), list.sectionCount)
    list.insertSection(section.key, at: number)
    edits.append(.insertSection(number, section.key))
  }

  mutating func delete(_ section: SectionChange) {
    let number = union.index(ofOld: section.index)
    guard list.sections.indices.contains(number) else { return }
    list.removeSection(number)
    edits.append(.deleteSection(number))
  }

  /// Inserts or moves a row to the position after its final predecessor.
  ///
  /// All rows up to the predecessor are at their final positions. Rows that
  /// move in a later step may still be between them.
  mutating func insertOrMove(_ change: RowChange) {
    guard let newPath = change.new, change.old == nil || change.isMove else { return }
    let from = change.isMove ? list.remove(change.rowID) : nil
    let section = union.index(ofNew: newPath.section)
    let before = new[RowPath(section: newPath.section, row: newPath.row - 1)]
    let row = before.flatMap { list.path(of: $0) }.map { $0.row + 1 } ?? 0
    guard row <= list.rowCount(inSection: section), list.sections.indices.contains(section) else {
      return
    }

    let path = RowPath(section: section, row: row)
    list.insert(change.rowID, at: path)
    if let from {
      // `from` and `path` differ: a row that already directly follows the final
      // rows would not be a move.
      edits.append(.moveRow(from: from, to: path))
    } else {
      edits.append(.insertRow(path, new: newPath))
    }
  }
}
