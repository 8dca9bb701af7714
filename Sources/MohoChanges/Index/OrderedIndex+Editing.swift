// Single steps of an update. Sections may be empty between steps. The update
// inserts and removes sections explicitly.

extension OrderedIndex {
  /// Inserts a row. The section must exist, and `path.row` must be at most its
  /// row count.
  mutating func insert(_ rowID: Int64, at path: RowPath) {
    tree.insert(rowID, at: sections.rowStart(of: path.section) + path.row)
    sections.addRows(1, to: path.section)
  }

  /// Removes a row and returns its former path, or `nil` if the row is not in
  /// the list.
  @discardableResult
  mutating func remove(_ rowID: Int64) -> RowPath? {
    guard let location = tree.location(of: rowID) else { return nil }
    let path = sections.path(at: tree.position(of: location))
    tree.remove(at: location)
    sections.addRows(-1, to: path.section)
    return path
  }

  mutating func insertSection(_ key: SectionKey, at section: Int) {
    sections.insert(key, at: section)
  }

  mutating func removeSection(_ section: Int) {
    sections.remove(section)
  }
}
