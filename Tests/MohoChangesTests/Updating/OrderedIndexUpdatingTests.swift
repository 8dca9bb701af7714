import MohoChanges
import Testing

@Suite struct OrderedIndexUpdatingTests {
  private func update(
    _ list: String, removing removed: [Int64] = [], _ placements: [RowPlacement] = []
  ) throws -> (String, [String]) {
    let index = try OrderedIndex(list)
    let (next, changes) = try index.updated(removing: removed, placing: placements)
    #expect(next.invariantViolation == nil)
    return (
      next.notation, changes.sections.map(\.description) + changes.rows.map(\.description)
    )
  }

  private func failure(_ list: String, removing removed: [Int64] = [], _ placements: [RowPlacement])
    throws
    -> OrderedIndexError?
  {
    let index = try OrderedIndex(list)
    do throws(OrderedIndexError) {
      _ = try index.updated(removing: removed, placing: placements)
      return nil
    } catch {
      return error
    }
  }

  @Test func updateWithoutTouchedRowsHasNoChanges() throws {
    #expect(try update("A: 1 2") == ("A: 1 2", []))
    #expect(try update("1 2", removing: [9]) == ("1 2", []))
  }

  @Test func rowsArePlacedAfterTheirPredecessors() throws {
    let (list, changes) = try update(
      "1 2 3 4", removing: [2],
      [RowPlacement(4, after: nil), RowPlacement(9, after: 1), RowPlacement(8, after: 9)])

    #expect(list == "4 1 9 8 3")
    #expect(
      changes == ["delete [0, 1]", "move [0, 3] → [0, 0]", "insert [0, 2]", "insert [0, 3]"])
  }

  @Test func consecutiveRowsCanAllNameTheLastUntouchedRow() throws {
    let placements = [
      RowPlacement(7, after: 1), RowPlacement(8, after: 1), RowPlacement(9, after: 1),
    ]

    #expect(try update("1 2", placements).0 == "1 7 8 9 2")
  }

  @Test func changedRowWithTheSamePredecessorIsUpdated() throws {
    let (list, changes) = try update(
      "A: 1 2 | B: 3", [RowPlacement(3, after: 2, section: .text("B"), changedKeys: ["title"])])

    #expect(list == "A: 1 2 | B: 3")
    #expect(changes == ["update [1, 0] → [1, 0] changed title"])
  }

  @Test func sectionsAreInsertedWithTheirFirstRowAndDeletedWithTheirLast() throws {
    let (list, changes) = try update(
      "A: 1 | B: 2 3", removing: [1],
      [
        RowPlacement(3, after: nil, section: .text("0"), changedKeys: ["genre"]),
        RowPlacement(4, after: 2, section: .text("C")),
      ])

    #expect(list == "0: 3 | B: 2 | C: 4")
    #expect(
      changes == [
        #"delete section 0 "A""#, #"insert section 0 "0""#, #"insert section 2 "C""#,
        "delete [0, 0]", "move [1, 1] → [0, 0] changed genre", "insert [2, 0]",
      ])
  }

  @Test func rowBecomesTheFirstOfTheSectionAfterItsPredecessor() throws {
    let row = RowPlacement(9, after: 1, section: .text("B"))

    #expect(try update("A: 1 | B: 2", [row]) == ("A: 1 | B: 9 2", ["insert [1, 0]"]))
  }

  @Test func sectionOfTouchedRowsMovesAndOtherSectionsRemain() throws {
    // A comparison of keys alone could delete and insert section C instead.
    let (list, changes) = try update(
      "A: 1 | B: 2 | C: 3 4 5", [RowPlacement(2, after: 5, section: .text("B"))])

    #expect(list == "A: 1 | C: 3 4 5 | B: 2")
    #expect(
      changes == [
        #"delete section 1 "B""#, #"insert section 2 "B""#, "move [1, 0] → [2, 0]",
      ])
  }

  @Test func contradictoryPlacementsThrowErrorsThatNameTheRow() throws {
    let removed = try failure("1 2 3", removing: [2], [RowPlacement(9, after: 2)])
    #expect(
      removed?.description == """
        unknown predecessor: found row 2, \
        expected a row of the list or an earlier placement - row 9
        """)
    let repeated = try failure("1 2 3", removing: [2], [RowPlacement(2, after: 1)])
    #expect(
      repeated?.description
        == "repeated row: found more than one entry, expected one entry per touched row - row 2")
    let descending = try failure("1 2 3", [RowPlacement(8, after: 3), RowPlacement(9, after: 1)])
    #expect(
      descending?.description == """
        misordered row: found a position after row 1, \
        expected one after the previous placement - row 9
        """)
    let first = try failure("1 2 3", [RowPlacement(8, after: 3), RowPlacement(9, after: nil)])
    #expect(
      first?.description == """
        misordered row: found a position at the start of the list, \
        expected one after the previous placement - row 9
        """)
  }

  @Test func placementsOutsideTheirSectionThrow() throws {
    let repeated = try failure("A: 1 | B: 2", [RowPlacement(9, after: 2, section: .text("A"))])
    #expect(repeated?.code == .misorderedSection)
    #expect(repeated?.section == .text("A"))
    #expect(repeated?.interveningSection == .text("B"))
    let split = try failure("A: 1 2 | B: 3", [RowPlacement(9, after: 1, section: .text("C"))])
    #expect(split?.code == .misorderedSection)
    #expect(split?.section == .text("A"))
    #expect(split?.interveningSection == .text("C"))
  }

  @Test func failedUpdateLeavesTheIndexUnchanged() throws {
    let index = try OrderedIndex("A: 1 2 | B: 3")

    #expect(throws: OrderedIndexError.self) {
      try index.updated(removing: [3], placing: [RowPlacement(1, after: 9, section: .text("A"))])
    }

    #expect(index.notation == "A: 1 2 | B: 3")
    #expect(index.invariantViolation == nil)
  }

  @Test func allPlacementsAreAppliedOrRejected() throws {
    // All placements of two rows in a small list, valid or not.
    let rows: [Int64?] = [nil, 1, 2, 3, 7]
    for removed in [[], [1], [3]] as [[Int64]] {
      for first in rows.compactMap(\.self) {
        for second in rows.compactMap(\.self) {
          for before in rows {
            for beforeSecond in rows {
              for section in ["A", "B", "C"] {
                let placements = [
                  RowPlacement(first, after: before, section: .text(section)),
                  RowPlacement(second, after: beforeSecond, section: .text("B")),
                ]
                let index = try OrderedIndex("A: 1 2 | B: 3")
                guard
                  let (next, changes) = try? index.updated(removing: removed, placing: placements)
                else { continue }
                let touched = Dictionary(
                  uniqueKeysWithValues: placements.map { ($0.rowID, [String]()) })
                #expect(next.invariantViolation == nil, "\(placements)")
                #expect(
                  changes == ChangeSet(from: index, to: next, changedKeys: touched), "\(placements)"
                )
              }
            }
          }
        }
      }
    }
  }
}
