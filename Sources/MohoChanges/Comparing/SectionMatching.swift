/// Which sections of two lists are the same.
///
/// Sections are the same if their keys are equal. Where same sections changed
/// their order, some of them count as deleted and inserted, because a table
/// cannot move a section and change its rows at once: as few as possible, such
/// that sections with untouched rows stay.
struct SectionMatching {
  /// Two numbers of one section.
  struct Pair {
    let old: Int
    let new: Int
  }

  /// The sections that stay, ascending in both spaces.
  private(set) var pairs: [Pair]
  /// The sections that go, ascending in old space.
  private(set) var deleted: [Int] = []
  /// The sections that come, ascending in new space.
  private(set) var inserted: [Int] = []

  /// Matches two lists of keys.
  ///
  /// `hasUntouchedRows` is asked only where same sections changed their order.
  init(
    from old: [SectionKey], to new: [SectionKey], hasUntouchedRows: (Pair) -> Bool
  ) {
    guard old != new else {
      pairs = old.indices.map { Pair(old: $0, new: $0) }
      return
    }

    var oldNumbers: [SectionKey: Int] = [:]
    for (number, key) in old.enumerated() { oldNumbers[key] = number }
    let common = new.enumerated().compactMap { number, key in
      oldNumbers[key].map { Pair(old: $0, new: number) }
    }
    pairs = common.areAscending ? common : Self.staying(common, hasUntouchedRows)

    let stayingOld = Set(pairs.map(\.old))
    let stayingNew = Set(pairs.map(\.new))
    deleted = old.indices.filter { !stayingOld.contains($0) }
    inserted = new.indices.filter { !stayingNew.contains($0) }
  }

  private static func staying(_ common: [Pair], _ hasUntouchedRows: (Pair) -> Bool) -> [Pair] {
    let fixed = common.filter(hasUntouchedRows)
    guard fixed.areAscending else {
      return longestIncreasingRun(common.map(\.old)).map { common[$0] }
    }
    let fixedNumbers = Set(fixed.map(\.new))
    let touched = common.filter { !fixedNumbers.contains($0.new) }
    let (oldNumbers, newNumbers) = (fixed.map(\.old), fixed.map(\.new))
    let movables = touched.map { pair in
      Movable(
        old: pair.old,
        oldGap: oldNumbers.offset(of: pair.old),
        newGap: newNumbers.offset(of: pair.new))
    }
    return (fixed + stayingOffsets(movables).map { touched[$0] }).sorted { $0.new < $1.new }
  }
}

extension [SectionMatching.Pair] {
  fileprivate var areAscending: Bool {
    zip(self, dropFirst()).allSatisfy { $0.old < $1.old }
  }
}
