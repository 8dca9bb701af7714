import MohoChanges
import Testing

/// The oracle must reject change sets with one wrong record.
@Suite struct ChangeSetJudgeTests {
  private let old = ListState(
    rowIDs: [1, 2, 3, 4], keys: [.integer(1), .integer(1), .integer(1), .integer(2)],
    orders: ["1a", "1b", "1c", "2a"], witnesses: [], isSectioned: true)
  private let new = ListState(
    rowIDs: [3, 1, 2, 5], keys: [.integer(1), .integer(1), .integer(1), .integer(3)],
    orders: ["10", "1a", "1b", "3a"], witnesses: [], isSectioned: true)

  private let sections = [
    SectionChange(kind: .delete, key: .integer(2), index: 1),
    SectionChange(kind: .insert, key: .integer(3), index: 1),
  ]

  private static func path(_ section: Int, _ row: Int) -> RowPath {
    RowPath(section: section, row: row)
  }

  /// The changes from the old list to the new one.
  private static let rows: [RowChange] = [
    .delete(4, at: path(1, 0)), .move(3, from: path(0, 2), to: path(0, 0), changed: ["title"]),
    .update(2, from: path(0, 1), to: path(0, 2), changed: ["rank"]), .insert(5, at: path(1, 0)),
  ]

  private func check(_ rows: [RowChange], _ sections: [SectionChange]) throws {
    try ChangeSetJudge(
      old: old, new: new, keyNames: ["title", "rank"],
      requiredKeys: { $0 == 3 ? ["title"] : $0 == 2 ? ["rank"] : [] },
      allowedKeys: { $0 == 3 ? ["title"] : $0 == 2 ? ["rank"] : [] }, mayMove: { $0 == 3 }
    ).check(ChangeSet(sections: sections, rows: rows))
  }

  @Test func aCorrectChangeSetIsAccepted() throws { try check(Self.rows, sections) }

  @Test(arguments: rows.indices)
  func aMissingRecordIsRejected(_ index: Int) {
    var rows = Self.rows
    rows.remove(at: index)

    #expect(throws: Disagreement.self) { try check(rows, sections) }
  }

  @Test(arguments: [0, 1])
  func aMissingSectionIsRejected(_ index: Int) {
    var sections = sections
    sections.remove(at: index)

    #expect(throws: Disagreement.self) { try check(Self.rows, sections) }
  }

  @Test(arguments: [
    (1, RowChange.move(3, from: path(0, 2), to: path(0, 0))),
    (1, .move(3, from: path(0, 2), to: path(0, 0), changed: ["title", "rank"])),
    (1, .move(3, from: path(0, 1), to: path(0, 0), changed: ["title"])),
    (1, .update(3, from: path(0, 2), to: path(0, 0), changed: ["title"])),
    (2, .move(2, from: path(0, 1), to: path(0, 2), changed: ["rank"])),
    (3, .insert(5, at: path(0, 3))),
  ])
  func aWrongRecordIsRejected(_ index: Int, _ record: RowChange) {
    var rows = Self.rows
    rows[index] = record

    #expect(throws: Disagreement.self) { try check(rows, sections) }
  }

  @Test func anUnnecessaryRecordIsRejected() {
    let rows =
      Self.rows + [.update(1, from: Self.path(0, 0), to: Self.path(0, 1), changed: ["rank"])]

    #expect(throws: Disagreement.self) { try check(rows, sections) }
  }
}
