import MohoChanges
import Testing

@Suite struct SectionChangeTests {
  private func changes(
    _ old: String, _ new: String, _ changedKeys: [Int64: [String]] = [:]
  ) throws -> ChangeSet {
    let transition = try Transition(
      old: OrderedIndex(old), new: OrderedIndex(new), changedKeys: changedKeys)
    #expect(transition.defect() == nil)
    return transition.changes
  }

  @Test func deletedSectionsAreInOldSpaceAndInsertedSectionsInNewSpace() throws {
    let changes = try changes("A: 1 | B: 2 | C: 3", "B: 2 | D: 4 | E: 5")

    #expect(
      changes.sections.map(\.description) == [
        #"delete section 0 "A""#, #"delete section 2 "C""#,
        #"insert section 1 "D""#, #"insert section 2 "E""#,
      ])
    #expect(changes.rows.map(\.kind) == [.delete, .delete, .insert, .insert])
  }

  @Test func changeOfTheSectionKeyIsAMove() throws {
    let changes = try changes("A: 1 2 | B: 3", "A: 1 | B: 2 3", [2: ["genre"]])

    #expect(changes.rows == [.move(2, from: RowPath(0, 1), to: RowPath(1, 0), changed: ["genre"])])
  }

  @Test func changeOfTheSectionKeyWithoutAnEntryIsAMove() throws {
    let changes = try changes("A: 1 2 | B: 3", "A: 1 | B: 2 3")

    #expect(changes.rows == [.move(2, from: RowPath(0, 1), to: RowPath(1, 0))])
  }

  @Test func rowsOfASectionWithANewIndexDoNotMove() throws {
    let changes = try changes("A: 1 | B: 2 3", "B: 2 3", [2: ["title"]])

    #expect(
      changes.rows == [
        .delete(1, at: RowPath(0, 0)),
        .update(2, from: RowPath(1, 0), to: RowPath(0, 0), changed: ["title"]),
      ])
  }

  @Test func rowsOfASectionWithANewKeyMove() throws {
    let changes = try changes("A: 1 2", "B: 1 2", [1: ["genre"], 2: ["genre"]])

    #expect(changes.sections.map(\.kind) == [.delete, .insert])
    #expect(changes.rows.map(\.kind) == [.move, .move])
  }

  @Test func reorderedSectionIsDeletedAndInserted() throws {
    let changes = try changes("A: 1 2 | B: 3 | C: 4", "B: 3 | C: 4 | A: 1 2")

    #expect(
      changes.sections.map(\.description) == [
        #"delete section 0 "A""#, #"insert section 2 "A""#,
      ])
    #expect(
      changes.rows == [
        .move(1, from: RowPath(0, 0), to: RowPath(2, 0)),
        .move(2, from: RowPath(0, 1), to: RowPath(2, 1)),
      ])
  }

  @Test func changesToAllOrdersOfFourSectionsAreValid() throws {
    let old = try OrderedIndex("A: 1 2 | B: 3 | C: 4 5 | D: 6")
    for order in permutations(of: [0, 1, 2, 3]) {
      var builder = OrderedIndex.Builder(sectioned: true)
      for section in order {
        // Row 4 moves to the section of row 3, and the content of row 6
        // changes.
        var rows = Array(old.rowIDs(inSection: section)).filter { $0 != 4 }
        if rows.first == 3 { rows.append(4) }
        for row in rows { try builder.append(row, section: old.sectionKeys[section]) }
      }

      let transition = Transition(
        old: old, new: builder.finish(), changedKeys: [4: ["genre"], 6: ["title"]])

      #expect(transition.defect() == nil, "\(transition)")
    }
  }

  @Test func listsCanBecomeSectionedUnsectionedOrEmpty() throws {
    let lists = try [
      OrderedIndex(), OrderedIndex(sectioned: true), OrderedIndex("1 2 3"),
      OrderedIndex("A: 1 | B: 3 2"), OrderedIndex("B: 2 | C: 4"),
    ]
    for old in lists {
      for new in lists {
        let transition = Transition(old: old, new: new)
        #expect(transition.defect() == nil, "\(transition)")
        #expect(transition.changes.isEmpty == (old == new), "\(transition)")
      }
    }
  }
}
