extension OrderedIndex {
  /// The number of rows in all sections.
  ///
  /// - Complexity: O(1).
  public var count: Int { tree.count }

  /// Whether there is no row.
  public var isEmpty: Bool { count == 0 }

  /// The number of sections.
  ///
  /// - Complexity: O(1).
  public var sectionCount: Int { sections.count }

  /// The keys of the sections, in order.
  ///
  /// - Complexity: O(*s*) for *s* sections. For one key ask
  ///   ``sectionKey(at:)``.
  public var sectionKeys: [SectionKey] { sections.keys }

  /// The key of a section, `nil` if there is no such section.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func sectionKey(at section: Int) -> SectionKey? {
    sections.indices.contains(section) ? sections.key(of: section) : nil
  }

  /// The number of rows in a section, zero if there is no such section.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func rowCount(inSection section: Int) -> Int {
    sections.indices.contains(section) ? sections.rowCount(of: section) : 0
  }

  /// The identity of the row at a path, `nil` if there is no such row.
  ///
  /// - Complexity: O(log *n*).
  public subscript(path: RowPath) -> Int64? {
    position(of: path).map { tree[$0] }
  }

  /// The place of a path counted through all sections, `nil` if there is no
  /// such row.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func position(of path: RowPath) -> Int? {
    guard path.row >= 0, path.row < rowCount(inSection: path.section) else { return nil }
    return sections.rowStart(of: path.section) + path.row
  }

  /// The path of the row at a place counted through all sections, `nil` if
  /// there is no such row.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  public func path(atPosition position: Int) -> RowPath? {
    position >= 0 && position < count ? sections.path(at: position) : nil
  }

  /// The place of a row counted through all sections, `nil` if the row is not
  /// in the list.
  ///
  /// - Complexity: O(log *n*).
  public func position(of rowID: Int64) -> Int? { tree.position(of: rowID) }

  /// The path of a row, `nil` if the row is not in the list.
  ///
  /// - Complexity: O(log *n*).
  public func path(of rowID: Int64) -> RowPath? {
    tree.position(of: rowID).map { sections.path(at: $0) }
  }

  /// The number of rows in each section.
  var sectionCounts: [Int] { sections.blocks.flatMap(\.counts) }

  func range(ofSection section: Int) -> Range<Int> {
    guard sections.indices.contains(section) else { return 0..<0 }
    let start = sections.rowStart(of: section)
    return start..<start + sections.rowCount(of: section)
  }
}
