import Campaigns
import MohoChanges
import MohoTesting
import Testing

@testable import MohoResults

@Suite struct RowWindowTests {
  @Test func limitAndOffsetAreClampedToTheList() throws {
    let all = OrderedIndex(rowIDs: [1, 2, 3, 4])
    func rows(_ offset: Int, _ limit: Int?) throws -> [Int64] {
      Array(try RowWindow(offset: offset, limit: limit).visibleRows(of: all).rowIDs)
    }

    #expect(try rows(0, nil) == [1, 2, 3, 4])
    #expect(try rows(1, 2) == [2, 3])
    #expect(try rows(3, 9) == [4])
    #expect(try rows(9, 9) == [])
    #expect(try rows(0, 0) == [])
    #expect(try rows(.max, .max) == [])
    #expect(try rows(1, .max) == [2, 3, 4])
  }

  @Test func rowsCrossBothEdgesOfAWindowWhenARowBeforeItIsInserted() {
    let window = RowWindow(offset: 2, limit: 3)
    let (old, new) = (OrderedIndex(rowIDs: [3, 4, 5]), OrderedIndex(rowIDs: [2, 3, 4]))

    #expect(window.rowsCrossingEdges(from: old, to: new, touchedCount: 1) == [2, 5])
  }

  /// Random windows of lists of every size, with random changes: updating the
  /// visible rows has the same result as selecting and comparing them again.
  @Test(arguments: [true, false]) func updatesEqualSelectingTheVisibleRowsAgain(isSectioned: Bool)
    throws
  {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<Campaign.count(short: 1_000, full: 4_000) {
      let (count, offset) = (generator.below(24), generator.below(6))
      let window = RowWindow(
        offset: offset, limit: generator.oneIn(5) ? nil : generator.below(20))
      let before = (1...30).map(Int64.init).shuffled(using: &generator).prefix(count)
      let touched = Set((0..<generator.below(4)).map { _ in Int64(1 + generator.below(34)) })
      var sections: [Int64: Int] = [:]
      for (position, rowID) in before.enumerated() { sections[rowID] = position / 5 }
      let old = try index(Array(before), sections, isSectioned)
      var after = before.filter { !touched.contains($0) }
      for rowID in touched.sorted() where !generator.oneIn(3) {
        let position = generator.below(after.count + 1)
        let neighbor = generator.oneIn(2) ? position - 1 : position
        sections[rowID] = after.indices.contains(neighbor) ? sections[after[neighbor]] : 9
        if !after.indices.contains(neighbor), position == 0 { sections[rowID] = -1 }
        after.insert(rowID, at: position)
      }
      let new = try index(after, sections, isSectioned)

      let rows = try window.visibleRows(of: old)
      let found = try window.updated(rows, from: old, to: new, touched: touched)

      let expected = try window.visibleRows(of: new)
      let entries = Dictionary(uniqueKeysWithValues: touched.map { ($0, [String]()) })
      #expect(found.index == expected, "round \(round)")
      #expect(
        found.changes == ChangeSet(from: rows, to: expected, changedKeys: entries), "round \(round)"
      )
    }
  }

  private func index(
    _ rowIDs: [Int64], _ sections: [Int64: Int], _ isSectioned: Bool
  ) throws -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: isSectioned)
    for rowID in rowIDs {
      try builder.append(rowID, section: .integer(Int64(sections[rowID] ?? 0)))
    }
    return builder.finish()
  }
}
