import MohoChanges
import MohoTesting
import Testing

/// What an index weighs and what its copies share, counted from the storage.
@Suite struct OrderedIndexStorageTests {
  static let count = 244_292

  enum Identities: CaseIterable, Sendable {
    case dense, sparse

    func rowIDs() -> [Int64] {
      var generator = SeededGenerator(seed: 11)
      let dense = (1...Int64(OrderedIndexStorageTests.count)).map { $0 }
      return self == .dense
        ? dense.shuffled(using: &generator) : dense.map { _ in Int64(bitPattern: generator.next()) }
    }
  }

  @Test(arguments: Identities.allCases)
  func rowTakesAtMostFourteenBytes(identities: Identities) {
    let index = OrderedIndex(rowIDs: identities.rowIDs())

    #expect(Double(index.storage.bytes) / Double(index.count) <= 14)
  }

  @Test func hundredStatesOfOneRowChangesTakeLessThanAMegabyte() throws {
    var generator = SeededGenerator(seed: 5)
    var rows = Identities.dense.rowIDs()
    var index = OrderedIndex(rowIDs: rows)
    let first = index.storage
    var kept = first
    for _ in 0..<100 {
      let before = index.storage
      let row = rows.remove(at: generator.below(rows.count))
      let position = generator.below(rows.count + 1)
      let predecessor = position > 0 ? rows[position - 1] : nil
      rows.insert(row, at: position)

      index = try index.updated(placing: [RowPlace(row, behind: predecessor)]).index

      #expect(index.storage.leaves(beside: before) <= 3)
      kept.formUnion(index.storage)
    }
    #expect(kept.bytes(beside: first) < 1_000_000)
    #expect(Array(index.rowIDs) == rows)
  }

  @Test func rowTakesNoMoreAfterAsManyChangesAsRows() throws {
    var generator = SeededGenerator(seed: 6)
    var rows = (0..<5_000).map { _ in Int64(bitPattern: generator.next()) }
    var index = OrderedIndex(rowIDs: rows)
    for _ in 0..<5_000 {
      let row = rows.remove(at: generator.below(rows.count))
      let position = generator.below(rows.count + 1)
      let predecessor = position > 0 ? rows[position - 1] : nil
      rows.insert(row, at: position)
      index = try index.updated(placing: [RowPlace(row, behind: predecessor)]).index
    }
    #expect(index.defect == nil)
    #expect(Double(index.storage.bytes) / Double(index.count) <= 14)

    let places = stride(from: 0, to: rows.count, by: 5).map { position in
      RowPlace(Int64(bitPattern: generator.next()), behind: rows[position])
    }
    let grown = try index.updated(placing: places).index
    #expect(grown.defect == nil)
    #expect(Double(grown.storage.bytes) / Double(grown.count) <= 14)

    // Leaves that have become half as long weigh more a row, until they join.
    index = try index.updated(removing: rows.filter { $0 % 2 == 0 }, placing: []).index
    #expect(index.defect == nil)
    #expect(Double(index.storage.bytes) / Double(index.count) <= 18)
  }

  @Test func changeOfContentCopiesNothing() throws {
    let index = OrderedIndex(rowIDs: 0..<5_000 as Range<Int64>)

    let (next, changes) = try index.updated(
      placing: [
        RowPlace(0, behind: nil, changedKeys: ["title"]),
        RowPlace(7, behind: 6, changedKeys: ["title"]),
        RowPlace(8, behind: 7, changedKeys: ["title"]),
      ])

    #expect(changes.rows.map(\.kind) == [.update, .update, .update])
    #expect(next.storage.bytes(beside: index.storage) == 0)
  }

  @Test func copyStaysWhatItWas() throws {
    let index = OrderedIndex(rowIDs: 0..<2_000 as Range<Int64>)
    let copy = index

    let next = try index.updated(
      removing: (0..<1_500).map { Int64($0) }, placing: []
    ).index

    #expect(copy == index)
    #expect(copy.count == 2_000 && next.count == 500)
    #expect(copy.defect == nil && next.defect == nil)
  }
}
