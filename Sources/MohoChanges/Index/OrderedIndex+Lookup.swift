extension OrderedIndex {
  /// The number of rows in all sections.
  ///
  /// - Complexity: O(1).
  public var count: Int { tree.count }

  /// Whether the list has no rows.
  public var isEmpty: Bool { count == 0 }

  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var sectionCount: Int { sections.count }

  /// The keys of the sections, in order.
  ///
  /// - Complexity: O(*s*) for *s* sections. Use ``sectionKey(at:)`` for a single
  ///   key.
  public var sectionKeys: [SectionKey] { sections.keys }

  /// Returns the key of a section, or `nil` if the section does not exist.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func sectionKey(at section: Int) -> SectionKey? {
    sections.indices.contains(section) ? sections.key(of: section) : nil
  }

  /// Returns the number of rows in a section, or zero if the section does not
  /// exist.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func rowCount(inSection section: Int) -> Int {
    sections.indices.contains(section) ? sections.rowCount(of: section) : 0
  }

  /// The ID of the row at a path, or `nil` if the row does not exist.
  ///
  /// - Complexity: O(log *n*).
  public subscript(path: RowPath) -> Int64? {
    position(of: path).map { tree[$0] }
  }

  /// Returns the position in the whole list of the row at a path, or `nil` if
  /// the row does not exist.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func position(of path: RowPath) -> Int? {
    guard path.row >= 0, path.row < rowCount(inSection: path.section) else { return nil }
    return sections.rowStart(of: path.section) + path.row
  }

  /// Returns the path of the row at a position in the whole list, or `nil` if
  /// the row does not exist.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func path(atPosition position: Int) -> RowPath? {
    position >= 0 && position < count ? sections.path(at: position) : nil
  }

  /// Returns the position of a row in the whole list, or `nil` if the row is
  /// not in the list.
  ///
  /// - Complexity: O(log *n*).
  public func position(of rowID: Int64) -> Int? { tree.position(of: rowID) }

  /// Returns the path of a row, or `nil` if the row is not in the list.
  ///
  /// - Complexity: O(log *n*).
  public func path(of rowID: Int64) -> RowPath? {
    tree.position(of: rowID).map { sections.path(at: $0) }
  }

  /// The number of rows in each section.
  package var sectionCounts: [Int] { sections.blocks.flatMap(\.counts) }

  /// The positions of the rows of a section. Empty if the section does not exist.
  func range(ofSection section: Int) -> Range<Int> {
    guard sections.indices.contains(section) else { return 0..<0 }
    let start = sections.rowStart(of: section)
    return start..<start + sections.rowCount(of: section)
  }
}
