import MohoChanges
import MohoTesting
import Testing

/// The memory of an index, and the memory that its copies share, measured from
/// its allocations.
@Suite struct OrderedIndexStorageTests {
  static let count = 244_292

  enum RowIDDistribution: CaseIterable, Sendable {
    case dense, sparse

    func rowIDs() -> [Int64] {
      var generator = SeededGenerator(seed: 11)
      let dense = (1...Int64(OrderedIndexStorageTests.count)).map { $0 }
      return self == .dense
        ? dense.shuffled(using: &generator) : dense.map { _ in Int64(bitPattern: generator.next()) }
    }
  }

  @Test(arguments: RowIDDistribution.allCases)
  func rowTakesTwelveToFourteenBytes(distribution: RowIDDistribution) {
    let index = OrderedIndex(rowIDs: distribution.rowIDs())

    #expect(12...14 ~= Double(index.storage.bytes) / Double(index.count))
  }

  // Each number of rows takes one more buffer than the one before.
  @Test(arguments: [100, 150, 200])
  func sizesOfBuffersAreMultiplesOfFourBytes(count: Int) {
    let index = OrderedIndex(rowIDs: 0..<Int64(count))

    #expect(index.storage.bytes.isMultiple(of: 4))
  }

  @Test func hundredRetainedStatesTakeLessThanAMegabyte() throws {
    var generator = SeededGenerator(seed: 5)
    var rows = RowIDDistribution.dense.rowIDs()
    var index = OrderedIndex(rowIDs: rows)
    let first = index.storage
    var retained = first
    for _ in 0..<100 {
      let before = index.storage
      let row = rows.remove(at: generator.below(rows.count))
      let position = generator.below(rows.count + 1)
      let predecessor = position > 0 ? rows[position - 1] : nil
      rows.insert(row, at: position)

      index = try index.updated(placing: [RowPlacement(row, after: predecessor)]).index

      #expect(index.storage.leafCount(notSharedWith: before) <= 3)
      retained.formUnion(index.storage)
    }
    #expect(retained.bytes(notSharedWith: first) < 1_000_000)
    #expect(Array(index.rowIDs) == rows)
  }

  @Test(arguments: [2_000, 20_000, 200_000])
  func anUpdateCopiesThreeLeavesAndANumberForEach2000Rows(count: Int) throws {
    var generator = SeededGenerator(seed: 8)
    let index = OrderedIndex(rowIDs: 0..<Int64(count))
    let storage = index.storage

    #expect(index.blockCount <= count / 2_000 + 1)
    for _ in 0..<20 {
      let row = generator.below(count)
      let predecessor = (row + 1 + generator.below(count - 2)) % count
      let placement = RowPlacement(Int64(row), after: Int64(predecessor))
      let updated = try index.updated(placing: [placement]).index.storage

      #expect(updated.leafCount(notSharedWith: storage) <= 3, "\(row) after \(predecessor)")
      let copied = updated.bytes(notSharedWith: storage)
      #expect(copied <= 5_500 + count / 2_000 * 8, "\(row) after \(predecessor)")
    }
  }

  @Test func bytesPerRowAreStableAfterAsManyMovesAsRows() throws {
    var generator = SeededGenerator(seed: 6)
    var rows = (0..<5_000).map { _ in Int64(bitPattern: generator.next()) }
    var index = OrderedIndex(rowIDs: rows)
    for _ in 0..<5_000 {
      let row = rows.remove(at: generator.below(rows.count))
      let position = generator.below(rows.count + 1)
      let predecessor = position > 0 ? rows[position - 1] : nil
      rows.insert(row, at: position)
      index = try index.updated(placing: [RowPlacement(row, after: predecessor)]).index
    }
    #expect(index.invariantViolation == nil)
    #expect(Double(index.storage.bytes) / Double(index.count) <= 14)

    let placements = stride(from: 0, to: rows.count, by: 5).map { position in
      RowPlacement(Int64(bitPattern: generator.next()), after: rows[position])
    }
    let grown = try index.updated(placing: placements).index
    #expect(grown.invariantViolation == nil)
    #expect(Double(grown.storage.bytes) / Double(grown.count) <= 14)

    // Smaller leafCount take more memory per row until they are merged.
    index = try index.updated(removing: rows.filter { $0 % 2 == 0 }, placing: []).index
    #expect(index.invariantViolation == nil)
    #expect(Double(index.storage.bytes) / Double(index.count) <= 18)
  }

  @Test func contentChangesCopyNoStorage() throws {
    let index = OrderedIndex(rowIDs: 0..<5_000 as Range<Int64>)

    let (next, changes) = try index.updated(
      placing: [
        RowPlacement(0, after: nil, changedKeys: ["title"]),
        RowPlacement(7, after: 6, changedKeys: ["title"]),
        RowPlacement(8, after: 7, changedKeys: ["title"]),
      ])

    #expect(changes.rows.map(\.kind) == [.update, .update, .update])
    #expect(next.storage.bytes(notSharedWith: index.storage) == 0)
  }

  @Test func updateLeavesCopiesUnchanged() throws {
    let index = OrderedIndex(rowIDs: 0..<2_000 as Range<Int64>)
    let copy = index

    let next = try index.updated(
      removing: (0..<1_500).map { Int64($0) }, placing: []
    ).index

    #expect(copy == index)
    #expect(copy.count == 2_000 && next.count == 500)
    #expect(copy.invariantViolation == nil && next.invariantViolation == nil)
  }
}
