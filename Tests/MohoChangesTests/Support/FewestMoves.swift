import MohoChanges

extension Transition {
  /// Whether the sections of both lists stand in one order.
  var keepsSectionOrder: Bool {
    let (before, after) = (Set(old.sectionKeys), Set(new.sectionKeys))
    return old.sectionKeys.filter(after.contains) == new.sectionKeys.filter(before.contains)
  }

  /// The fewest moves by trying all, such that no untouched row moves inside
  /// its section. Where untouched rows changed their order, all rows of the
  /// section may move.
  ///
  /// For lists whose common sections keep their order.
  var fewestMoves: Int {
    var moves = 0
    var homes: [Int64: SectionKey] = [:]
    for (key, rows) in zip(old.sectionKeys, old.rows) {
      for row in rows { homes[row] = key }
    }
    for (key, rows) in zip(new.sectionKeys, new.rows) {
      moves += rows.filter { homes[$0].map { $0 != key } ?? false }.count
      guard let section = old.sectionKeys.firstIndex(of: key) else { continue }
      moves += fewestMoves(from: old.rows[section], to: rows)
    }
    return moves
  }

  private func fewestMoves(from old: [Int64], to new: [Int64]) -> Int {
    let before = old.filter(new.contains)
    let after = new.filter(old.contains)
    let touched = after.filter { changedKeys[$0] != nil }
    return fewest(of: touched, before, after) ?? fewest(of: after, before, after) ?? 0
  }

  private func fewest(of movable: [Int64], _ before: [Int64], _ after: [Int64]) -> Int? {
    subsets(of: movable)
      .filter { moved in
        before.filter { !moved.contains($0) } == after.filter { !moved.contains($0) }
      }
      .map(\.count)
      .min()
  }
}
