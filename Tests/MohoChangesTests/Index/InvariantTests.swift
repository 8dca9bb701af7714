import Testing

@testable import MohoChanges

/// Checks that the invariants reject damaged indexes. Other tests rely on them.
@Suite struct InvariantTests {
  private typealias Damage = (inout OrderedIndex) -> Void

  private func violation(_ damage: Damage) throws -> String? {
    var builder = OrderedIndex.Builder(sectioned: true)
    for row in 0..<5_000 as Range<Int64> { try builder.append(row, section: .integer(row / 100)) }
    var index = builder.finish()
    #expect(index.invariantViolation == nil)
    damage(&index)
    return index.invariantViolation
  }

  @Test func sizesOfBlocksAndLeavesAreChecked() throws {
    #expect(
      try violation { $0.tree.blocks.insert([], at: 1) } == "blocks have [12, 0, 12, 3] leaves")
    #expect(
      try violation { $0.tree.blocks[0] += $0.tree.blocks[1] } == "blocks have [24, 12, 3] leaves")
    #expect(
      try violation { $0.tree.blocks[2][1] = RowLeaf(number: 25, rows: []) }?
        .hasPrefix("leaves have [192, ") == true)
    #expect(
      try violation { $0.tree.blocks[2][1] = RowLeaf(number: 25, rows: Array(0..<257)) }?
        .hasPrefix("leaves have [192, ") == true)
  }

  @Test func numbersOfLeavesAreChecked() throws {
    #expect(
      try violation { $0.tree.blocks[0][0] = RowLeaf(number: 1, rows: [7]) }?
        .hasPrefix("leaf numbers repeat: [1, 1, 2") == true)
    #expect(
      try violation { $0.tree.freeLeafNumbers = [27] }?.hasSuffix("free are [27] of 27") == true)
    #expect(
      try violation { $0.tree.leafBlocks.append(-1) }?.hasSuffix("free are [] of 28") == true)
    #expect(try violation { $0.tree.leafBlocks[13] = 2 } == "leaf 13 is in block 1, expected 2")
    #expect(
      try violation {
        $0.tree.leafBlocks.append(0)
        $0.tree.freeLeafNumbers = [27]
      } == "a free leaf number has a block")
  }

  @Test func startsOfBlocksAreChecked() throws {
    #expect(
      try violation { $0.tree.blockStarts[1] += 1 }
        == "blocks start at [0, 2305, 4608, 5000], expected at [0, 2304, 4608, 5000]")
  }

  @Test func rowIDIndexIsChecked() throws {
    #expect(
      try violation { $0.tree.rowIDIndex.remove(3, leaf: 0) }
        == "row ID index has 4999 rows, not 5000")
    #expect(
      try violation { index in
        index.tree.rowIDIndex.remove(3, leaf: 0)
        index.tree.rowIDIndex.insert(3, leaf: 7)
      } == "row 3 not found at position 3")
    #expect(
      try violation { index in
        index.tree.rowIDIndex = RowIDHashIndex(ChunkedArray([[RowLeaf(number: 0, rows: [1])]]))
        for row in 1..<5_000 as Range<Int64> { index.tree.rowIDIndex.insert(row, leaf: 0) }
      } == "row ID index has 1 buckets for 5000 rows")
  }

  @Test func sectionsAreChecked() throws {
    func sections(_ keys: [SectionKey], _ counts: [Int]) -> Damage {
      { $0.sections = SectionTable(keys: keys, counts: counts) }
    }
    #expect(try violation(sections([.null], [3])) == "sections have 3 rows, not 5000")
    #expect(
      try violation(sections([.null, .null], [4_000, 1_000]))?.hasPrefix("section keys repeat")
        == true)
    #expect(
      try violation(sections([.null, .integer(1)], [5_000, 0])) == "a section is empty: [5000, 0]")
    #expect(
      try violation { $0.sections.blocks[0].counts.append(0) }
        == "a section block is empty or has fewer counts than keys")
    #expect(
      try violation { index in
        index.sections.blocks.insert(SectionTable.Block(keys: [], counts: []), at: 0)
        index.sections.blockStarts.insert(SectionTable.BlockStart(), at: 0)
      } == "a section block is empty or has fewer counts than keys")
    #expect(
      try violation { index in
        index.sections.blocks = [
          SectionTable.Block(keys: [.integer(1)], counts: [2_000]),
          SectionTable.Block(keys: [.integer(2)], counts: [3_000]),
        ]
        index.sections.blockStarts = [
          SectionTable.BlockStart(), SectionTable.BlockStart(sections: 1, rows: 2_001),
          SectionTable.BlockStart(sections: 2, rows: 5_000),
        ]
      } == "section 1 not found at position 2000")
    #expect(
      try violation { index in
        index = OrderedIndex(tree: index.tree, sections: index.sections, isSectioned: false)
      }?.hasPrefix("an unsectioned index has sections [0, 1, 2") == true)
  }
}
