// Steps of a change. Between them sections may be empty; the change set tells
// which sections come and go.

extension OrderedIndex {
  /// Puts a row before another one of its section, or behind all of it. Both
  /// the section and the place must exist.
  mutating func insert(_ rowID: Int64, at path: RowPath) {
    tree.insert(rowID, at: sections.rowStart(of: path.section) + path.row)
    sections.addRows(1, to: path.section)
  }

  /// Takes out a row, and answers where it stood.
  @discardableResult
  mutating func remove(_ rowID: Int64) -> RowPath? {
    guard let place = tree.place(of: rowID) else { return nil }
    let path = sections.path(at: tree.position(of: place))
    tree.remove(at: place)
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
