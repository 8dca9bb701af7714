/// The sections of two lists, put together in one order: those that stay, those
/// that go and those that come, each once.
///
/// Between two sections that stay, those that go stand before those that come.
struct SectionUnion {
  // Ascending, in old and in new space.
  private let deleted: [Int]
  private let inserted: [Int]
  // For each of them the number of staying sections before it.
  private let deletedGaps: [Int]
  private let insertedGaps: [Int]

  init(_ sections: [SectionChange]) {
    deleted = sections.filter { $0.kind == .delete }.map(\.index)
    inserted = sections.filter { $0.kind == .insert }.map(\.index)
    deletedGaps = deleted.enumerated().map { $1 - $0 }
    insertedGaps = inserted.enumerated().map { $1 - $0 }
  }

  /// The number of a section in old space among all.
  func number(ofOld section: Int) -> Int {
    let before = deleted.offset(of: section)
    let goes = before < deleted.count && deleted[before] == section
    let gap = section - before
    return section + insertedGaps.offset(of: goes ? gap : gap + 1)
  }

  /// The number of a section in new space among all.
  func number(ofNew section: Int) -> Int {
    let before = inserted.offset(of: section)
    return section + deletedGaps.offset(of: section - before + 1)
  }

  func path(ofOld path: RowPath) -> RowPath {
    RowPath(section: number(ofOld: path.section), row: path.row)
  }

  func path(ofNew path: RowPath) -> RowPath {
    RowPath(section: number(ofNew: path.section), row: path.row)
  }
}
