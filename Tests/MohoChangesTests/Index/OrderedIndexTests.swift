import MohoChanges
import Testing

@Suite struct OrderedIndexTests {
  @Test func emptyUnsectionedIndexHasOneSection() {
    let index = OrderedIndex()

    #expect(index.isEmpty)
    #expect(!index.isSectioned)
    #expect(index.sectionKeys == [.all])
    #expect(index.rowCount(inSection: 0) == 0)
    #expect(index == OrderedIndex(rowIDs: []))
  }

  @Test func emptySectionedIndexHasNoSection() {
    let index = OrderedIndex(sectioned: true)

    #expect(index.isEmpty)
    #expect(index.isSectioned)
    #expect(index.sectionCount == 0)
  }

  @Test func rowsAreFoundByPathPositionAndID() throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    var position = 0
    for (section, rows) in [[5, 3], [9], [2, 4, 8]].enumerated() as EnumeratedSequence<[[Int64]]> {
      for (row, rowID) in rows.enumerated() {
        let path = RowPath(section, row)
        #expect(index[path] == rowID)
        #expect(index.position(of: path) == position)
        #expect(index.path(atPosition: position) == path)
        #expect(index.path(of: rowID) == path)
        position += 1
      }
    }
    #expect(index.count == position)
  }

  @Test func sectionsAreRangesOfRows() throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    #expect(index.sectionKeys == [.text("A"), .text("B"), .text("C")])
    #expect(index.sectionKey(at: 1) == .text("B"))
    #expect((0..<3).map(index.rowCount(inSection:)) == [2, 1, 3])
    #expect(Array(index.rowIDs) == [5, 3, 9, 2, 4, 8])
    #expect(Array(index.rowIDs(inSection: 2)) == [2, 4, 8])
    #expect(index.rowIDs(inSection: 2)[1] == 4)
    #expect(index.rowIDs(inSection: 2).dropFirst().first == 4)
  }

  @Test(arguments: [
    RowPath(-1, 0), RowPath(3, 0), RowPath(0, -1), RowPath(0, 2), RowPath(1, 1),
    RowPath(.max, .max), RowPath(.min, .min),
  ])
  func pathsOutsideTheListHaveNoRow(path: RowPath) throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    #expect(index[path] == nil)
    #expect(index.position(of: path) == nil)
  }

  @Test(arguments: [-1, 3, .min, .max])
  func sectionsOutsideTheListAreEmpty(section: Int) throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    #expect(index.sectionKey(at: section) == nil)
    #expect(index.rowCount(inSection: section) == 0)
    #expect(index.rowIDs(inSection: section).isEmpty)
  }

  @Test(arguments: [-1, 6, .min, .max])
  func positionsOutsideTheListHaveNoPath(position: Int) throws {
    let index = try OrderedIndex("A: 5 3 | B: 9 | C: 2 4 8")

    #expect(index.path(atPosition: position) == nil)
    #expect(OrderedIndex().path(atPosition: position) == nil)
    #expect(index.path(of: 77) == nil)
  }
}
