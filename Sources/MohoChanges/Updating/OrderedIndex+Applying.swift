extension OrderedIndex {
  /// Returns the list after a change.
  ///
  /// Use this to follow a list of another process or device, whose change sets
  /// are received as JSON:
  ///
  /// ```swift
  /// let changes = try JSONDecoder().decode(ChangeSet.self, from: message)
  /// index = try index.applying(changes)
  /// ```
  ///
  /// The projections of the change set then lead from the old index to the new
  /// one.
  ///
  /// - Parameter changes: The change from this list to the next one.
  /// - Throws: ``ChangeSetError`` with the code
  ///   ``ChangeSetError/Code/listMismatch`` if the change set does not start at
  ///   this list. Request the whole list in this case.
  /// - Complexity: O(*k* (log *n* + *n* / 2,000) + *s*) for *k* records and *s*
  ///   sections, plus O(*s*) for each inserted or deleted section.
  public func applying(_ changes: ChangeSet) throws(ChangeSetError) -> OrderedIndex {
    var index = self
    try index.removeRows(of: changes)
    try index.applySections(of: changes)
    try index.insertRows(of: changes)
    for section in changes.sections where section.kind == .update {
      try index.check(section)
    }
    if index.isSectioned, index.sectionCounts.contains(0) {
      throw ChangeSetError(
        .listMismatch, "found a section without rows after the change, expected its deletion")
    }
    return index
  }

  private mutating func removeRows(of changes: ChangeSet) throws(ChangeSetError) {
    for change in changes.rows {
      let (found, expected) = (path(of: change.rowID), change.old)
      guard found == expected else {
        throw ChangeSetError(
          .listMismatch,
          "found \(Self.text(found)), expected \(Self.text(expected)) before the change",
          rowID: change.rowID)
      }
    }
    for change in changes.rows where change.isMove || change.kind == .delete {
      remove(change.rowID)
    }
  }

  private mutating func applySections(of changes: ChangeSet) throws(ChangeSetError) {
    for section in changes.sections.reversed() where section.kind == .delete {
      try check(section)
      let count = rowCount(inSection: section.index)
      guard count == 0 else {
        throw ChangeSetError(
          .listMismatch,
          "found \(count) more rows in deleted section \(section.index), expected a record of each")
      }
      removeSection(section.index)
    }
    try updateSectioning(changes)
    for section in changes.sections where section.kind == .insert {
      guard section.index <= sectionCount else {
        throw ChangeSetError(
          .listMismatch,
          "found \(sectionCount) sections, expected at least \(section.index) before an inserted one"
        )
      }
      guard sections.section(with: section.key) == nil else {
        throw ChangeSetError(
          .listMismatch, "found section \(section.key) before its insertion, expected it once")
      }
      insertSection(section.key, at: section.index)
    }
  }

  /// Checks that the list has the section of a record.
  private func check(_ section: SectionChange) throws(ChangeSetError) {
    guard sectionKey(at: section.index) == section.key else {
      let found = sectionKey(at: section.index).map { "section \($0)" } ?? "no section"
      throw ChangeSetError(
        .listMismatch, "found \(found) at \(section.index), expected section \(section.key)")
    }
  }

  /// An unsectioned list has the section `all` and no other.
  private mutating func updateSectioning(_ changes: ChangeSet) throws(ChangeSetError) {
    let inserted = changes.sections.filter { $0.kind == .insert }
    let becomesUnsectioned = inserted.contains { $0.key == .all }
    guard sectionCount == 0 || !(becomesUnsectioned || (!isSectioned && !inserted.isEmpty)) else {
      throw ChangeSetError(
        .listMismatch, "found other sections, expected that all are deleted or the list has one")
    }
    let removesAll = changes.sections.contains { $0.kind == .delete && $0.key == .all }
    let isSectioned = !becomesUnsectioned && (self.isSectioned || removesAll)
    self = OrderedIndex(tree: tree, sections: sections, isSectioned: isSectioned)
  }

  private mutating func insertRows(of changes: ChangeSet) throws(ChangeSetError) {
    for change in changes.rows {
      guard let path = change.new, change.isMove || change.old == nil else { continue }
      guard path.section < sectionCount, path.row <= rowCount(inSection: path.section) else {
        throw ChangeSetError(
          .listMismatch, "found fewer rows before \(path), expected its predecessor",
          rowID: change.rowID)
      }
      insert(change.rowID, at: path)
    }
    for change in changes.rows where change.kind == .update {
      let found = path(of: change.rowID)
      guard found == change.new else {
        throw ChangeSetError(
          .listMismatch,
          "found \(Self.text(found)), expected \(Self.text(change.new)) after the change",
          rowID: change.rowID)
      }
    }
  }

  private static func text(_ path: RowPath?) -> String { path?.description ?? "no row" }
}
