extension ChangeSet {
  /// The change set as steps, each in the index space that the one before left.
  ///
  /// First rows are deleted, from the last to the first; then sections come,
  /// rows are inserted and moved into their places, from the first to the last;
  /// then sections go. At last the cells of changed rows are reconfigured, of
  /// moved ones, too: nothing is reloaded, and a view that animates all steps
  /// together shows a move and its new content as one.
  ///
  /// There are as many moves as the change set has, none of them to where the row
  /// is.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  /// - Complexity: O(*k* log *n*) for *k* records.
  public func sequentialEdits(from old: OrderedIndex, to new: OrderedIndex) -> [SequentialEdit] {
    var replay = SequentialReplay(list: old, new: new, union: SectionUnion(sections))
    for change in rows.reversed() where change.kind == .delete { replay.delete(change) }
    for section in sections where section.kind == .insert { replay.insert(section) }
    for change in rows { replay.place(change) }
    for section in sections.reversed() where section.kind == .delete { replay.delete(section) }
    for change in rows {
      guard let path = change.new, change.old != nil, change.content != .unchanged else { continue }
      replay.edits.append(.reconfigureRow(path, changedKeys: change.changedKeys))
    }
    return replay.edits
  }
}

/// Carries out steps on an index, which knows where every row stands in
/// between.
private struct SequentialReplay {
  var list: OrderedIndex
  let new: OrderedIndex
  let union: SectionUnion
  var edits: [SequentialEdit] = []

  mutating func delete(_ change: RowChange) {
    if let path = list.remove(change.rowID) { edits.append(.deleteRow(path)) }
  }

  mutating func insert(_ section: SectionChange) {
    let number = min(union.number(ofNew: section.index), list.sectionCount)
    list.insertSection(section.key, at: number)
    edits.append(.insertSection(number, section.key))
  }

  mutating func delete(_ section: SectionChange) {
    let number = union.number(ofOld: section.index)
    guard list.sections.indices.contains(number) else { return }
    list.removeSection(number)
    edits.append(.deleteSection(number))
  }

  /// Puts a row behind the one that is before it in the end. All rows up to
  /// there are in their places; rows that are still to move may stand between
  /// them.
  mutating func place(_ change: RowChange) {
    guard let newPath = change.new, change.old == nil || change.isMove else { return }
    let from = change.isMove ? list.remove(change.rowID) : nil
    let section = union.number(ofNew: newPath.section)
    let before = new[RowPath(section: newPath.section, row: newPath.row - 1)]
    let row = before.flatMap { list.path(of: $0) }.map { $0.row + 1 } ?? 0
    guard row <= list.rowCount(inSection: section), list.sections.indices.contains(section) else {
      return
    }

    let path = RowPath(section: section, row: row)
    list.insert(change.rowID, at: path)
    if let from {
      // Never the same: a row that stood behind the settled ones already could
      // have stayed.
      edits.append(.moveRow(from: from, to: path))
    } else {
      edits.append(.insertRow(path, new: newPath))
    }
  }
}
