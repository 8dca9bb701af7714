import MohoChanges
import MohoTesting
import Testing

@Suite struct MissingEntryTests {
  @Test func moveOfARowWithoutAnEntryIsFound() throws {
    let transition = try Transition(old: OrderedIndex("1 2 3 4"), new: OrderedIndex("2 3 1 4"))

    #expect(transition.defect() == nil)
    #expect(transition.changes.rows == [.move(1, from: RowPath(0, 0), to: RowPath(0, 2))])
  }

  @Test func insertionWithoutAnEntryIsFoundBesideATouchedRow() throws {
    let (old, new) = (try OrderedIndex("1 2"), try OrderedIndex("1 2 3"))

    let changes = ChangeSet(from: old, to: new, touching: [1: ["title"]])

    #expect(
      changes.rows == [
        .update(1, from: RowPath(0, 0), to: RowPath(0, 0), changed: ["title"]),
        .insert(3, at: RowPath(0, 2)),
      ])
  }

  // Without row 1, the numbers of rows differ by two.
  @Test func twoInsertionsWithoutEntriesAreFoundBesideATouchedRow() throws {
    let (old, new) = (try OrderedIndex("1 2"), try OrderedIndex("1 2 3 4"))

    let changes = ChangeSet(from: old, to: new, touching: [1: ["title"]])

    #expect(
      changes.rows == [
        .update(1, from: RowPath(0, 0), to: RowPath(0, 0), changed: ["title"]),
        .insert(3, at: RowPath(0, 2)), .insert(4, at: RowPath(0, 3)),
      ])
  }

  @Test func contradictionAffectsOnlyItsSection() throws {
    // Row 6 is touched, so it moves, although a move of row 5 would have the
    // same effect.
    let transition = try Transition(
      old: OrderedIndex("A: 1 2 | B: 5 6"), new: OrderedIndex("A: 2 1 | B: 6 5"),
      changedKeys: [6: []])

    #expect(transition.defect() == nil)
    #expect(transition.changes.rows.filter(\.isMove).count == 2)
    #expect(transition.changes.rows.last == .move(6, from: RowPath(1, 1), to: RowPath(1, 0)))
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func everyChangeIsValidForAnyEntries(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<250 {
      let old = try randomIndex(&generator)
      let new = try randomIndex(&generator)
      var keys: [Int64: [String]] = [:]
      for row in 0..<16 as Range<Int64> where generator.below(4) == 0 {
        keys[row] = generator.below(2) == 0 ? [] : ["title"]
      }

      let transition = Transition(old: old, new: new, changedKeys: keys)

      #expect(transition.defect() == nil, "seed \(seed) step \(step): \(transition)")
    }
  }

  private func randomIndex(_ generator: inout SeededGenerator) throws -> OrderedIndex {
    let rows = (0..<16).map { Int64($0) }.shuffled(using: &generator)
    let keys = (0..<5).map { Int64($0) }.shuffled(using: &generator)
    var builder = OrderedIndex.Builder(sectioned: generator.below(8) > 0)
    var section = 0
    for row in rows.prefix(generator.below(17)) {
      if section < 4, generator.below(3) == 0 { section += 1 }
      try builder.append(row, section: .integer(keys[section]))
    }
    return builder.finish()
  }
}
