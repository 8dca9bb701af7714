import MohoChanges
import MohoTesting
import Testing

/// Lists with many leaves and blocks. Every step is checked against an array.
@Suite struct OrderedIndexGrowthTests {
  @Test(arguments: [Pattern.anywhere, .end, .start, .samePosition])
  func listGrowsAndShrinksThroughAllSizes(pattern: Pattern) throws {
    var generator = SeededGenerator(seed: 7)
    var rows: [Int64] = []
    var index = OrderedIndex()
    for size in [1, 200, 257, 600, 17_000, 9_000, 300, 1, 0] {
      while rows.count != size {
        let count = min(400, abs(size - rows.count))
        if rows.count < size {
          (rows, index) = try grow(rows, index, by: count, pattern, &generator)
        } else {
          (rows, index) = try shrink(rows, index, by: count, pattern, &generator)
        }
        try #require(index.count == rows.count)
        if size < 1_000 {
          try #require(index.invariantViolation == nil, "\(pattern) \(rows.count)")
        }
      }
      #expect(index.invariantViolation == nil, "\(pattern) \(size)")
      #expect(Array(index.rowIDs) == rows, "\(pattern) \(size)")
      for position in stride(from: 0, to: rows.count, by: 97) {
        #expect(index.rowIDs[position] == rows[position])
        #expect(index.position(of: rows[position]) == position)
      }
    }
  }

  enum Pattern: Sendable {
    case anywhere, end, start, samePosition

    func position(in count: Int, _ generator: inout SeededGenerator) -> Int {
      switch self {
      case .anywhere: generator.below(count + 1)
      case .end: count
      case .start: 0
      case .samePosition: count / 3
      }
    }
  }

  private func grow(
    _ rows: [Int64], _ index: OrderedIndex, by count: Int, _ pattern: Pattern,
    _ generator: inout SeededGenerator
  ) throws -> ([Int64], OrderedIndex) {
    var positions = (0..<count).map { _ in pattern.position(in: rows.count, &generator) }
    positions.sort()
    let inserted = positions.map { _ in Int64(bitPattern: generator.next()) }
    var placements: [RowPlacement] = []
    for (position, rowID) in zip(positions, inserted) {
      placements.append(RowPlacement(rowID, after: position > 0 ? rows[position - 1] : nil))
    }
    var grown = rows
    for (position, rowID) in zip(positions, inserted).reversed() {
      grown.insert(rowID, at: position)
    }
    let (next, changes) = try index.updated(placing: placements)
    #expect(changes.rows.count == count)
    return (grown, next)
  }

  private func shrink(
    _ rows: [Int64], _ index: OrderedIndex, by count: Int, _ pattern: Pattern,
    _ generator: inout SeededGenerator
  ) throws -> ([Int64], OrderedIndex) {
    let removed: [Int64]
    switch pattern {
    case .anywhere: removed = Array(rows.shuffled(using: &generator).prefix(count))
    case .end: removed = rows.suffix(count)
    case .start: removed = Array(rows.prefix(count))
    case .samePosition: removed = Array(rows.dropFirst((rows.count - count) / 3).prefix(count))
    }
    let set = Set(removed)
    let (next, changes) = try index.updated(removing: removed, placing: [])
    #expect(changes.rows.count == count)
    return (rows.filter { !set.contains($0) }, next)
  }

  @Test func fullLeafInTheMiddleOfAFullBlockIsSplit() throws {
    var rows = (0..<2_500).map { Int64($0) }
    var index = OrderedIndex(rowIDs: rows)
    // A row of the eighth leaf. Rows that are inserted after it split this leaf again and
    // again, until its second half begins a new block.
    let predecessor: Int64 = 1_353
    for row in 2_500..<3_300 as Range<Int64> {
      index = try index.updated(placing: [RowPlacement(row, after: predecessor)]).index
      rows.insert(row, at: Int(predecessor) + 1)
    }

    #expect(index.invariantViolation == nil)
    #expect(index.rowIDs.elementsEqual(rows))
  }

  // Leaves of 192 rows, of which the first one has room for 64 more.
  @Test(arguments: [
    // After the first leaf: the rows fit into the next one.
    (192, true, 2),
    // After the last leaf.
    (384, true, 3),
    // Each row before the first one.
    (0, false, 3),
    // Each row after the first one: a full leaf is split.
    (1, false, 3),
  ])
  func rowsThatDoNotFitIntoALeafGoToTheNextOneOrANewOne(
    firstPosition: Int, isAscending: Bool, leafCount: Int
  ) throws {
    var rows = (0..<384).map { Int64($0) }
    var index = OrderedIndex(rowIDs: rows)
    for row in 384..<460 as Range<Int64> {
      let position = isAscending ? firstPosition + Int(row) - 384 : firstPosition
      let predecessor = position > 0 ? rows[position - 1] : nil
      index = try index.updated(placing: [RowPlacement(row, after: predecessor)]).index
      rows.insert(row, at: position)
    }

    #expect(index.invariantViolation == nil)
    #expect(index.rowIDs.elementsEqual(rows))
    #expect(index.storage.leafCount(notSharedWith: OrderedIndex().storage) == leafCount)
  }

  @Test func leafIsNotMergedWithOneThatIsNearlyFull() throws {
    // Two leaves of 192 rows, which become leaves of 252 and 2 rows.
    var index = OrderedIndex(rowIDs: 0..<384 as Range<Int64>)
    for row in 384..<444 as Range<Int64> {
      index = try index.updated(placing: [RowPlacement(row, after: 10)]).index
    }
    index = try index.updated(removing: 194..<384 as Range<Int64>, placing: []).index

    #expect(index.invariantViolation == nil)
    #expect(index.storage.leafCount(notSharedWith: OrderedIndex().storage) == 2)
  }

  @Test func smallLastBlockIsMergedWithThePreviousOne() throws {
    // Two blocks of twelve leaves.
    let index = OrderedIndex(rowIDs: 0..<Int64(24 * 192))
    #expect(index.blockCount == 2)

    let shorter = try index.updated(removing: 0..<Int64(6 * 192), placing: []).index
    let merged = try shorter.updated(removing: Int64(14 * 192)..<Int64(24 * 192), placing: []).index

    #expect(shorter.blockCount == 2)
    #expect(merged.blockCount == 1)
    #expect(merged.invariantViolation == nil)
    #expect(merged.rowIDs.elementsEqual(Int64(6 * 192)..<Int64(14 * 192)))
  }

  @Test func smallFirstBlockIsMergedWithTheNextOne() throws {
    // Two blocks of twelve leaves.
    let index = OrderedIndex(rowIDs: 0..<Int64(24 * 192))

    let shorter = try index.updated(removing: Int64(18 * 192)..<Int64(24 * 192), placing: []).index
    let merged = try shorter.updated(removing: 0..<Int64(10 * 192), placing: []).index

    #expect(shorter.blockCount == 2)
    #expect(merged.blockCount == 1)
    #expect(merged.invariantViolation == nil)
    #expect(merged.rowIDs.elementsEqual(Int64(10 * 192)..<Int64(18 * 192)))
  }

  @Test func thousandsOfSectionsAreInsertedAndDeleted() throws {
    var generator = SeededGenerator(seed: 3)
    var keys: [Int64] = []
    var index = OrderedIndex(sectioned: true)
    for size in [50, 129, 400, 2_000, 700, 90, 0] {
      while keys.count != size {
        let key = Int64(generator.below(1 << 40))
        if keys.count < size {
          let rank = keys.firstIndex { $0 > key } ?? keys.count
          let placement = RowPlacement(
            key, after: rank > 0 ? keys[rank - 1] : nil, section: .integer(key))
          index = try index.updated(placing: [placement]).index
          keys.insert(key, at: rank)
        } else {
          let removed = keys.remove(at: generator.below(keys.count))
          index = try index.updated(removing: [removed], placing: []).index
        }
      }
      #expect(index.invariantViolation == nil, "\(size)")
      #expect(index.sectionKeys == keys.map { .integer($0) }, "\(size)")
      #expect(Array(index.rowIDs) == keys, "\(size)")
    }
  }
}
