import MohoChanges
import Testing

@Suite struct RowIDsTests {
  @Test(
    arguments: [
      (0..<6, [5, 3, 9, 2, 4, 8]), (1..<3, [3, 9]), (2..<2, []), (-4..<2, [5, 3]),
      (4..<99, [4, 8]),
      (7..<9, []), (.min ..< .max, [5, 3, 9, 2, 4, 8]),
    ] as [(Range<Int>, [Int64])])
  func positionsOutsideTheListHaveNoRows(positions: Range<Int>, expected: [Int64]) throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    #expect(Array(index.rowIDs(atPositions: positions)) == expected)
  }

  @Test func rowsAreEqualIfTheirIDsAndTheirOrderAre() throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 5 3")

    #expect(index.rowIDs(inSection: 0) == index.rowIDs(inSection: 2))
    #expect(index.rowIDs(inSection: 0) != index.rowIDs(inSection: 1))
    #expect(index.rowIDs(inSection: 0) != (try OrderedIndex("3 5")).rowIDs)
    #expect(index.rowIDs(inSection: 0) != (try OrderedIndex("5")).rowIDs)
  }
}
