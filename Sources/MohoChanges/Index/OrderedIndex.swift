/// The order of a list: row IDs in sections.
///
/// An index stores the position of each row, and no content. The sections of a
/// sectioned index are never empty. An unsectioned index always has one section,
/// with the key ``SectionKey/all``, even if it has no rows. Each row occurs once.
///
/// ```swift
/// var builder = OrderedIndex.Builder(sectioned: true)
/// try builder.append(17, section: .integer(2011))
/// try builder.append(4, section: .integer(2011))
/// try builder.append(9, section: .integer(2012))
/// let index = builder.finish()
/// index[RowPath(section: 0, row: 1)]  // 4
/// ```
///
/// Lookups return `nil`, zero or an empty collection for sections, rows and
/// positions outside the list. They never trap.
///
/// An index is a value. Copies share their storage. After a small update, the old
/// and the new index share all but a few kilobytes, so you can retain hundreds of
/// states of a list. A row takes about thirteen bytes, for dense and for sparse
/// row IDs. It takes up to seventeen bytes after half of the rows have been
/// removed one by one.
///
/// - Complexity: Lookups by position and by row ID are O(log *n*). An update of
///   one row takes O(log *n* + *n* / 2,000).
public struct OrderedIndex: Sendable {
  var tree: RowTree
  var sections: SectionTable

  /// Whether the list has a section key.
  public let isSectioned: Bool

  init(leaves: consuming RowLeafBuilder, sections: SectionTable, isSectioned: Bool) {
    self.init(tree: RowTree(leaves), sections: sections, isSectioned: isSectioned)
  }

  init(tree: RowTree, sections: SectionTable, isSectioned: Bool) {
    self.tree = tree
    self.sections = sections
    self.isSectioned = isSectioned
  }

  /// Creates an index without rows. A sectioned index has no section, an
  /// unsectioned one has one.
  public init(sectioned: Bool = false) {
    self = Builder(sectioned: sectioned).finish()
  }

  /// Creates an unsectioned index of rows in the given order.
  ///
  /// Row IDs must not repeat. The initializer does not check this.
  ///
  /// - Complexity: O(*n*).
  public init(rowIDs: some Sequence<Int64>) {
    var leaves = RowLeafBuilder()
    leaves.append(contentsOf: ArraySlice(rowIDs))
    let sections = SectionTable(keys: [.all], counts: [leaves.count])
    self.init(leaves: leaves, sections: sections, isSectioned: false)
  }
}

extension OrderedIndex: Equatable {
  /// Whether two indexes have the same rows in the same sections and order.
  ///
  /// - Complexity: O(*n*).
  public static func == (lhs: OrderedIndex, rhs: OrderedIndex) -> Bool {
    lhs.isSectioned == rhs.isSectioned && lhs.count == rhs.count
      && lhs.sectionKeys == rhs.sectionKeys && lhs.sectionCounts == rhs.sectionCounts
      && lhs.rowIDs.elementsEqual(rhs.rowIDs)
  }
}
