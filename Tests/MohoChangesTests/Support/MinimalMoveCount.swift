import MohoChanges

extension Transition {
  /// Whether the common sections of both lists are in the same order.
  var hasSameSectionOrder: Bool {
    let (before, after) = (Set(old.sectionKeys), Set(new.sectionKeys))
    return old.sectionKeys.filter(after.contains) == new.sectionKeys.filter(before.contains)
  }

  /// The minimal number of moves, by exhaustive search, if no untouched row
  /// moves within its section. Where untouched rows of a section changed their
  /// order, all rows of the section can move.
  ///
  /// Valid only if the common sections are in the same order.
  var minimalMoveCount: Int {
    var moves = 0
    var oldSectionKeys: [Int64: SectionKey] = [:]
    for (key, rows) in zip(old.sectionKeys, old.rows) {
      for row in rows { oldSectionKeys[row] = key }
    }
    for (key, rows) in zip(new.sectionKeys, new.rows) {
      moves += rows.filter { oldSectionKeys[$0].map { $0 != key } ?? false }.count
      guard let section = old.sectionKeys.firstIndex(of: key) else { continue }
      moves += minimalMoveCount(from: old.rows[section], to: rows)
    }
    return moves
  }

  private func minimalMoveCount(from old: [Int64], to new: [Int64]) -> Int {
    let before = old.filter(new.contains)
    let after = new.filter(old.contains)
    let touched = after.filter { changedKeys[$0] != nil }
    return minimum(of: touched, before, after) ?? minimum(of: after, before, after) ?? 0
  }

  private func minimum(of movable: [Int64], _ before: [Int64], _ after: [Int64]) -> Int? {
    subsets(of: movable)
      .filter { moved in
        before.filter { !moved.contains($0) } == after.filter { !moved.contains($0) }
      }
      .map(\.count)
      .min()
  }
}
