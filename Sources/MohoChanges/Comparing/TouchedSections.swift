/// Which sections of two lists are the same, where only touched rows differ.
///
/// A section that has an untouched row is in both lists, in the same order, so
/// that only sections of touched rows need a look.
struct TouchedSections {
  private(set) var deleted: [SectionChange] = []
  private(set) var inserted: [SectionChange] = []

  // Ascending numbers of the sections whose rows are all touched.
  private let old: [Int]
  private let new: [Int]
  // From old to new space, for those of them that stay.
  private var partners: [Int: Int] = [:]

  /// - Complexity: O(*k* log *n*) for *k* touched rows.
  init(from oldIndex: OrderedIndex, to newIndex: OrderedIndex, touched: [TouchedRow]) {
    old = oldIndex.sections(of: touched.compactMap(\.old))
    new = newIndex.sections(of: touched.compactMap(\.new))
    guard !old.isEmpty || !new.isEmpty else { return }

    var oldNumbers: [SectionKey: Int] = [:]
    for section in old { oldNumbers[oldIndex.sections.key(of: section)] = section }
    var common: [(old: Int, new: Int)] = []
    for section in new {
      guard let number = oldNumbers[newIndex.sections.key(of: section)] else { continue }
      common.append((number, section))
    }
    let movables = common.map { pair in
      Movable(
        old: pair.old, oldGap: pair.old - old.offset(of: pair.old),
        newGap: pair.new - new.offset(of: pair.new))
    }
    for offset in stayingOffsets(movables) { partners[common[offset].old] = common[offset].new }

    let kept = Set(partners.values)
    deleted = old.filter { partners[$0] == nil }.map {
      SectionChange(kind: .delete, key: oldIndex.sections.key(of: $0), index: $0)
    }
    inserted = new.filter { !kept.contains($0) }.map {
      SectionChange(kind: .insert, key: newIndex.sections.key(of: $0), index: $0)
    }
  }

  /// Whether a section in old space is the same as one in new space.
  ///
  /// - Complexity: O(log *k*).
  func areSame(_ oldSection: Int, _ newSection: Int) -> Bool {
    if let partner = partners[oldSection] { return partner == newSection }
    let (oldOffset, newOffset) = (old.offset(of: oldSection), new.offset(of: newSection))
    if oldOffset < old.count && old[oldOffset] == oldSection { return false }
    if newOffset < new.count && new[newOffset] == newSection { return false }
    return oldSection - oldOffset == newSection - newOffset
  }
}

extension OrderedIndex {
  /// The sections that have rows at these paths and no others, ascending.
  fileprivate func sections(of paths: [RowPath]) -> [Int] {
    guard isSectioned else { return [] }
    var counts: [Int: Int] = [:]
    for path in paths { counts[path.section, default: 0] += 1 }
    return counts.filter { $1 == rowCount(inSection: $0) }.keys.sorted()
  }
}
