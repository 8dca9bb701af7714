import MohoChanges
import Testing

@Suite struct OrderedIndexUpdatingTests {
  private func update(
    _ list: String, removing gone: [Int64] = [], _ places: [RowPlace] = []
  ) throws -> (String, [String]) {
    let index = try OrderedIndex(list)
    let (next, changes) = try index.updated(removing: gone, placing: places)
    #expect(next.defect == nil)
    return (
      next.notation, changes.sections.map(\.description) + changes.rows.map(\.description)
    )
  }

  private func failure(_ list: String, removing gone: [Int64] = [], _ places: [RowPlace]) throws
    -> OrderedIndexError?
  {
    let index = try OrderedIndex(list)
    do throws(OrderedIndexError) {
      _ = try index.updated(removing: gone, placing: places)
      return nil
    } catch {
      return error
    }
  }

  @Test func nothingTouchedIsNoChange() throws {
    #expect(try update("A: 1 2") == ("A: 1 2", []))
    #expect(try update("1 2", removing: [9]) == ("1 2", []))
  }

  @Test func rowsArePlacedBehindTheirPredecessors() throws {
    let (list, changes) = try update(
      "1 2 3 4", removing: [2],
      [RowPlace(4, behind: nil), RowPlace(9, behind: 1), RowPlace(8, behind: 9)])

    #expect(list == "4 1 9 8 3")
    #expect(
      changes == ["delete [0, 1]", "move [0, 3] → [0, 0]", "insert [0, 2]", "insert [0, 3]"])
  }

  @Test func rowsOfOneGapMayAllNameTheRowBeforeIt() throws {
    let places = [RowPlace(7, behind: 1), RowPlace(8, behind: 1), RowPlace(9, behind: 1)]

    #expect(try update("1 2", places).0 == "1 7 8 9 2")
  }

  @Test func rowThatKeepsItsPredecessorAndChangesIsUpdated() throws {
    let (list, changes) = try update(
      "A: 1 2 | B: 3", [RowPlace(3, behind: 2, section: .text("B"), changedKeys: ["title"])])

    #expect(list == "A: 1 2 | B: 3")
    #expect(changes == ["update [1, 0] → [1, 0] changed title"])
  }

  @Test func sectionsComeWithTheirFirstRowAndGoWithTheirLast() throws {
    let (list, changes) = try update(
      "A: 1 | B: 2 3", removing: [1],
      [
        RowPlace(3, behind: nil, section: .text("0"), changedKeys: ["genre"]),
        RowPlace(4, behind: 2, section: .text("C")),
      ])

    #expect(list == "0: 3 | B: 2 | C: 4")
    #expect(
      changes == [
        #"delete section 0 "A""#, #"insert section 0 "0""#, #"insert section 2 "C""#,
        "delete [0, 0]", "move [1, 1] → [0, 0] changed genre", "insert [2, 0]",
      ])
  }

  @Test func rowBecomesTheFirstOfTheSectionBehindItsPredecessor() throws {
    let row = RowPlace(9, behind: 1, section: .text("B"))

    #expect(try update("A: 1 | B: 2", [row]) == ("A: 1 | B: 9 2", ["insert [1, 0]"]))
  }

  @Test func sectionOfTouchedRowsMovesAndTheOthersStay() throws {
    // Comparing keys alone might as well delete and insert section C.
    let (list, changes) = try update(
      "A: 1 | B: 2 | C: 3 4 5", [RowPlace(2, behind: 5, section: .text("B"))])

    #expect(list == "A: 1 | C: 3 4 5 | B: 2")
    #expect(
      changes == [
        #"delete section 1 "B""#, #"insert section 2 "B""#, "move [1, 0] → [2, 0]",
      ])
  }

  @Test func contradictionsAreErrorsThatNameTheRow() throws {
    let gone = try failure("1 2 3", removing: [2], [RowPlace(9, behind: 2)])
    #expect(
      gone?.description == """
        unknown predecessor: found row 2 neither in the list nor placed, \
        expected one that is - row 9
        """)
    let twice = try failure("1 2 3", removing: [2], [RowPlace(2, behind: 1)])
    #expect(
      twice?.description
        == "repeated row: found it again, expected each touched row once - row 2")
    let backwards = try failure("1 2 3", [RowPlace(8, behind: 3), RowPlace(9, behind: 1)])
    #expect(
      backwards?.description == """
        misordered row: found it behind row 1, \
        expected a place behind the row placed last - row 9
        """)
  }

  @Test func placesOutOfTheirSectionAreErrors() throws {
    let again = try failure("A: 1 | B: 2", [RowPlace(9, behind: 2, section: .text("A"))])
    #expect(again?.code == .misorderedSection)
    #expect(again?.section == .text("A"))
    #expect(again?.current == .text("B"))
    let split = try failure("A: 1 2 | B: 3", [RowPlace(9, behind: 1, section: .text("C"))])
    #expect(split?.code == .misorderedSection)
    #expect(split?.section == .text("A"))
    #expect(split?.current == .text("C"))
  }

  @Test func failedUpdateLeavesTheIndexAsItWas() throws {
    let index = try OrderedIndex("A: 1 2 | B: 3")

    #expect(throws: OrderedIndexError.self) {
      try index.updated(removing: [3], placing: [RowPlace(1, behind: 9, section: .text("A"))])
    }

    #expect(index.notation == "A: 1 2 | B: 3")
    #expect(index.defect == nil)
  }

  @Test func anyPlacesAreUpdatedOrRefused() throws {
    // Every way to name two rows of a small list, sensible or not.
    let rows: [Int64?] = [nil, 1, 2, 3, 7]
    for gone in [[], [1], [3]] as [[Int64]] {
      for first in rows.compactMap(\.self) {
        for second in rows.compactMap(\.self) {
          for before in rows {
            for beforeSecond in rows {
              for section in ["A", "B", "C"] {
                let places = [
                  RowPlace(first, behind: before, section: .text(section)),
                  RowPlace(second, behind: beforeSecond, section: .text("B")),
                ]
                let index = try OrderedIndex("A: 1 2 | B: 3")
                guard let (next, changes) = try? index.updated(removing: gone, placing: places)
                else { continue }
                let touched = Dictionary(
                  uniqueKeysWithValues: places.map { ($0.rowID, [String]()) })
                #expect(next.defect == nil, "\(places)")
                #expect(
                  changes == ChangeSet(from: index, to: next, changedKeys: touched), "\(places)")
              }
            }
          }
        }
      }
    }
  }
}
