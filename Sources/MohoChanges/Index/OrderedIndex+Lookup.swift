extension OrderedIndex {
  /// The number of rows in all sections.
  ///
  /// - Complexity: O(1).
  public var count: Int { identities.count }

  /// Whether there is no row.
  public var isEmpty: Bool { identities.isEmpty }

  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var sectionCount: Int { sectionKeys.count }

  /// The key of a section, `nil` if there is no such section.
  ///
  /// - Complexity: O(1).
  public func sectionKey(at section: Int) -> SectionKey? {
    sectionKeys.indices.contains(section) ? sectionKeys[section] : nil
  }

  /// The number of rows in a section, zero if there is no such section.
  ///
  /// - Complexity: O(1).
  public func rowCount(inSection section: Int) -> Int {
    range(ofSection: section).count
  }

  /// The identity of the row at a path, `nil` if there is no such row.
  ///
  /// - Complexity: O(1).
  public subscript(path: RowPath) -> Int64? {
    position(of: path).map { identities[$0] }
  }

  /// The place of a path counted through all sections, `nil` if there is no
  /// such row.
  ///
  /// - Complexity: O(1).
  public func position(of path: RowPath) -> Int? {
    let range = range(ofSection: path.section)
    guard path.row >= 0, path.row < range.count else { return nil }
    return range.lowerBound + path.row
  }

  /// The path of the row at a place counted through all sections, `nil` if
  /// there is no such row.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func path(atPosition position: Int) -> RowPath? {
    guard identities.indices.contains(position) else { return nil }
    var low = 0
    var high = sectionCount
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offsets[middle] <= position { low = middle } else { high = middle }
    }
    return RowPath(section: low, row: position - offsets[low])
  }

  /// The path of a row, `nil` if the row is not in the list.
  ///
  /// - Complexity: O(*n*): the rows are searched from the first one.
  public func path(of rowID: Int64) -> RowPath? {
    identities.firstIndex(of: rowID).flatMap { path(atPosition: $0) }
  }

  func range(ofSection section: Int) -> Range<Int> {
    guard sectionKeys.indices.contains(section) else { return 0..<0 }
    return offsets[section]..<offsets[section + 1]
  }
}
