/// The order of a list: row identities, in sections.
///
/// An index knows which row stands where and nothing about its content. A
/// sectioned index has a section exactly where it has at least one row; an
/// unsectioned index always has one section, with the key ``SectionKey/all``,
/// even when it is empty. A row occurs once.
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
/// Look-ups answer `nil`, zero or nothing for places outside the list; they
/// never trap.
///
/// The type is a value. Copies share their storage, and a copy that is changed
/// goes on sharing all but a few kilobytes, so states of a list may be kept by
/// the hundred. A row takes about thirteen bytes, whatever its identity; after
/// half of the rows have been removed one by one, seventeen.
///
/// - Complexity: Rows are found by place and by identity in O(log *n*).
public struct OrderedIndex: Sendable {
  var tree: RowTree
  var sections: SectionTable

  /// Whether the list is divided by a section key.
  public let isSectioned: Bool

  init(leaves: consuming RowLeaves, sections: SectionTable, isSectioned: Bool) {
    tree = RowTree(leaves)
    self.sections = sections
    self.isSectioned = isSectioned
  }

  /// Makes an index without rows: with one section if it is unsectioned, with
  /// none if it is sectioned.
  public init(sectioned: Bool = false) {
    self = Builder(sectioned: sectioned).finish()
  }

  /// Makes an unsectioned index of rows in the given order.
  ///
  /// A row must not occur twice; this is not checked.
  ///
  /// - Complexity: O(*n*).
  public init(rowIDs: some Sequence<Int64>) {
    var leaves = RowLeaves()
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
