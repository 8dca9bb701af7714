import Moho
import Testing

@testable import EpisodeFeed

@Suite struct ListHistoryTests {
  /// A history in which each version inserts one more row at the beginning.
  private func history(_ count: Int) throws -> ListHistory {
    var history = ListHistory(token: "t", generation: 0, OrderedIndex(rowIDs: [0]))
    for number in 1...count {
      let index = OrderedIndex(rowIDs: (0...Int64(number)).reversed())
      let changes = ChangeSet(from: history.index, to: index, changedKeys: [:])
      history.append(generation: number, index, changes)
    }
    return history
  }

  @Test func changesLeadFromAnyRetainedVersionToTheNewest() throws {
    let history = try history(5)

    #expect(history.version == "t-5")
    for start in 0...5 {
      let before = try #require(history.index(of: "t-\(start)"))
      let changes = try #require(history.changes(since: "t-\(start)"))
      #expect(try before.applying(changes) == history.index)
      #expect(changes.rows.count == 5 - start)
    }
  }

  @Test func aRowThatWasInsertedAndDeletedHasNoRecord() throws {
    var history = ListHistory(token: "t", generation: 0, OrderedIndex(rowIDs: [1, 2]))
    for (generation, rowIDs) in [[1, 3, 2], [1, 2]].enumerated() {
      let index = OrderedIndex(rowIDs: rowIDs.map { Int64($0) })
      let changes = ChangeSet(from: history.index, to: index, changedKeys: [2: ["title"]])
      history.append(generation: generation + 1, index, changes)
    }

    #expect(
      history.changes(since: "t-0")?.rows
        == [
          .update(
            2, from: RowPath(section: 0, row: 1), to: RowPath(section: 0, row: 1),
            changed: ["title"])
        ])
  }

  @Test func aSectionThatIsInsertedAgainHasANewSummary() throws {
    func index(_ sections: [Int64]) throws -> OrderedIndex {
      var builder = OrderedIndex.Builder(sectioned: true)
      for section in sections { try builder.append(section, section: .integer(section)) }
      return builder.finish()
    }
    var history = ListHistory(token: "t", generation: 0, try index([1, 2]))
    for (generation, sections) in [[1], [1, 2]].enumerated() {
      let next = try index(sections.map { Int64($0) })
      history.append(
        generation: generation + 1, next,
        ChangeSet(from: history.index, to: next, changedKeys: [:]), summaryKeys: ["count"])
    }

    #expect(
      history.changes(since: "t-0")?.sections
        == [SectionChange(kind: .update, key: .integer(2), index: 1, changedKeys: ["count"])])
  }

  @Test func changesFromTheNewestVersionAreEmpty() throws {
    #expect(try history(3).changes(since: "t-3")?.isEmpty == true)
  }

  @Test(arguments: ["", "t", "t-", "u-40", "t-99", "t-8"])
  func anUnknownOrOldVersionHasNoChanges(version: String) throws {
    let history = try history(40)

    #expect(history.changes(since: version) == nil)
    #expect(history.index(of: version) == nil)
    #expect(history.index(of: "t-9") != nil)
  }

  @Test func aLargeChangeIsANewList() {
    let count = Int64(ListHistory.recordLimit)
    for (rows, isChange) in [(count, true), (count + 1, false)] {
      var history = ListHistory(token: "t", generation: 0, OrderedIndex())
      let index = OrderedIndex(rowIDs: 1...rows)
      history.append(
        generation: 1, index, ChangeSet(from: OrderedIndex(), to: index, changedKeys: [:]))

      #expect((history.changes(since: "t-0") != nil) == isChange)
    }
  }
}
