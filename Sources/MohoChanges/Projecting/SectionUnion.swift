/// The sections of two lists merged into one order, each section once: the
/// sections that both lists have, the deleted ones and the inserted ones.
///
/// Between two common sections, deleted sections come before inserted ones. An
/// index in this order is an index in *union space*.
package struct SectionUnion {
  // Ascending indexes: deleted sections in old space, inserted ones in new space.
  private let deleted: [Int]
  private let inserted: [Int]
  // For each of them, the number of common sections before it.
  private let deletedGaps: [Int]
  private let insertedGaps: [Int]

  package init(_ sections: [SectionChange]) {
    deleted = sections.filter { $0.kind == .delete }.map(\.index)
    inserted = sections.filter { $0.kind == .insert }.map(\.index)
    deletedGaps = deleted.enumerated().map { $1 - $0 }
    insertedGaps = inserted.enumerated().map { $1 - $0 }
  }

  /// The index in union space of a section in old space.
  func index(ofOld section: Int) -> Int {
    let before = deleted.insertionOffset(of: section)
    let isDeleted = before < deleted.count && deleted[before] == section
    let gap = section - before
    return section + insertedGaps.insertionOffset(of: isDeleted ? gap : gap + 1)
  }

  /// The index in union space of a section in new space.
  func index(ofNew section: Int) -> Int {
    let before = inserted.insertionOffset(of: section)
    return section + deletedGaps.insertionOffset(of: section - before + 1)
  }

  /// The index in old space of a section in new space, or nil for an inserted
  /// section.
  package func oldIndex(ofNew section: Int) -> Int? {
    let before = inserted.insertionOffset(of: section)
    if before < inserted.count && inserted[before] == section { return nil }
    let common = section - before
    return common + deletedGaps.insertionOffset(of: common + 1)
  }

  func path(ofOld path: RowPath) -> RowPath {
    RowPath(section: index(ofOld: path.section), row: path.row)
  }

  func path(ofNew path: RowPath) -> RowPath {
    RowPath(section: index(ofNew: path.section), row: path.row)
  }
}
