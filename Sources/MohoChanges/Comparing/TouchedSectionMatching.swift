/// Matches the sections of two lists that differ only in touched rows.
///
/// A section with an untouched row is in both lists, and the order of such
/// sections is the same in both. So only sections whose rows are all touched
/// need to be compared.
struct TouchedSectionMatching {
  private(set) var deleted: [SectionChange] = []
  private(set) var inserted: [SectionChange] = []

  // The ascending indexes of the sections whose rows are all touched, in old
  // and in new space.
  private let old: [Int]
  private let new: [Int]
  // Those of `old` that are matched, with their index in new space.
  private var matches: [Int: Int] = [:]

  /// - Complexity: O(*k* log *n*) for *k* touched rows.
  init(from oldIndex: OrderedIndex, to newIndex: OrderedIndex, touched: [TouchedRow]) {
    old = oldIndex.sections(coveredBy: touched.compactMap(\.old))
    new = newIndex.sections(coveredBy: touched.compactMap(\.new))
    guard !old.isEmpty || !new.isEmpty else { return }

    var oldIndexes: [SectionKey: Int] = [:]
    for section in old { oldIndexes[oldIndex.sections.key(of: section)] = section }
    var common: [(old: Int, new: Int)] = []
    for section in new {
      guard let oldSection = oldIndexes[newIndex.sections.key(of: section)] else { continue }
      common.append((oldSection, section))
    }
    let candidates = common.map { pair in
      MoveCandidate(
        old: pair.old, oldGap: pair.old - old.insertionOffset(of: pair.old),
        newGap: pair.new - new.insertionOffset(of: pair.new))
    }
    for offset in stationaryOffsets(candidates) { matches[common[offset].old] = common[offset].new }

    let matchedNew = Set(matches.values)
    deleted = old.filter { matches[$0] == nil }.map {
      SectionChange(kind: .delete, key: oldIndex.sections.key(of: $0), index: $0)
    }
    inserted = new.filter { !matchedNew.contains($0) }.map {
      SectionChange(kind: .insert, key: newIndex.sections.key(of: $0), index: $0)
    }
  }

  /// Whether a section in old space and a section in new space are the same.
  ///
  /// - Complexity: O(log *k*).
  func areSame(_ oldSection: Int, _ newSection: Int) -> Bool {
    if let match = matches[oldSection] { return match == newSection }
    let (oldOffset, newOffset) = (
      old.insertionOffset(of: oldSection), new.insertionOffset(of: newSection)
    )
    if oldOffset < old.count && old[oldOffset] == oldSection { return false }
    if newOffset < new.count && new[newOffset] == newSection { return false }
    return oldSection - oldOffset == newSection - newOffset
  }
}

extension OrderedIndex {
  /// Returns the sections whose rows are exactly those at the given paths,
  /// ascending.
  fileprivate func sections(coveredBy paths: [RowPath]) -> [Int] {
    guard isSectioned else { return [] }
    var counts: [Int: Int] = [:]
    for path in paths { counts[path.section, default: 0] += 1 }
    return counts.filter { $1 == rowCount(inSection: $0) }.keys.sorted()
  }
}
