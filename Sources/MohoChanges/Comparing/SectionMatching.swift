/// Matches the sections of two lists by key.
///
/// A table view cannot move a section and change its rows in one batch. So
/// where common sections changed their order, some of them count as deleted and
/// inserted: as few as possible, and never sections with untouched rows.
struct SectionMatching {
  /// The indexes of a section in both lists.
  struct Pair {
    /// In old space.
    let old: Int
    /// In new space.
    let new: Int
  }

  /// The common sections, ascending in both spaces.
  private(set) var pairs: [Pair]
  /// The indexes of the deleted sections, ascending in old space.
  private(set) var deleted: [Int] = []
  /// The indexes of the inserted sections, ascending in new space.
  private(set) var inserted: [Int] = []

  /// Matches two lists of section keys.
  ///
  /// The initializer calls `hasUntouchedRows` only if common sections changed
  /// their order.
  init(
    from old: [SectionKey], to new: [SectionKey], hasUntouchedRows: (Pair) -> Bool
  ) {
    guard old != new else {
      pairs = old.indices.map { Pair(old: $0, new: $0) }
      return
    }

    var oldIndexes: [SectionKey: Int] = [:]
    for (index, key) in old.enumerated() { oldIndexes[key] = index }
    let common = new.enumerated().compactMap { index, key in
      oldIndexes[key].map { Pair(old: $0, new: index) }
    }
    pairs = common.areAscending ? common : Self.stationaryPairs(common, hasUntouchedRows)

    let matchedOld = Set(pairs.map(\.old))
    let matchedNew = Set(pairs.map(\.new))
    deleted = old.indices.filter { !matchedOld.contains($0) }
    inserted = new.indices.filter { !matchedNew.contains($0) }
  }

  private static func stationaryPairs(
    _ common: [Pair], _ hasUntouchedRows: (Pair) -> Bool
  ) -> [Pair] {
    let fixed = common.filter(hasUntouchedRows)
    // Untouched rows changed their order, contrary to the caller's knowledge.
    guard fixed.areAscending else {
      return longestIncreasingSubsequence(common.map(\.old)).map { common[$0] }
    }
    let fixedIndexes = Set(fixed.map(\.new))
    let touched = common.filter { !fixedIndexes.contains($0.new) }
    let (oldIndexes, newIndexes) = (fixed.map(\.old), fixed.map(\.new))
    let candidates = touched.map { pair in
      MoveCandidate(
        old: pair.old,
        oldGap: oldIndexes.insertionOffset(of: pair.old),
        newGap: newIndexes.insertionOffset(of: pair.new))
    }
    return (fixed + stationaryOffsets(candidates).map { touched[$0] }).sorted { $0.new < $1.new }
  }
}

extension [SectionMatching.Pair] {
  fileprivate var areAscending: Bool {
    zip(self, dropFirst()).allSatisfy { $0.old < $1.old }
  }
}
