/// Which sections of two lists are the same.
///
/// Sections are the same if their keys are equal. If same sections changed
/// their order, those outside a longest increasing run count as deleted and
/// inserted, because a table cannot move a section and change its rows at once.
struct SectionMatching {
  /// The sections that stay, ascending in both spaces.
  private(set) var pairs: [(old: Int, new: Int)]
  /// The sections that go, ascending in old space.
  private(set) var deleted: [Int] = []
  /// The sections that come, ascending in new space.
  private(set) var inserted: [Int] = []

  init(from old: [SectionKey], to new: [SectionKey]) {
    guard old != new else {
      pairs = old.indices.map { (old: $0, new: $0) }
      return
    }

    var oldNumbers: [SectionKey: Int] = [:]
    for (number, key) in old.enumerated() { oldNumbers[key] = number }
    let common = new.enumerated().compactMap { number, key in
      oldNumbers[key].map { (old: $0, new: number) }
    }
    pairs = longestIncreasingRun(common.map(\.old)).map { common[$0] }

    let stayingOld = Set(pairs.map(\.old))
    let stayingNew = Set(pairs.map(\.new))
    deleted = old.indices.filter { !stayingOld.contains($0) }
    inserted = new.indices.filter { !stayingNew.contains($0) }
  }
}
