import MohoChanges
import Testing

/// Content changes that are added to a change set.
@Suite struct ContentChangesTests {
  private func added(
    _ changedKeys: [Int64: [String]], _ touched: [Int64: [String]] = [4: []]
  ) throws -> [String] {
    let (old, new) = (try OrderedIndex("1 2 3 4"), try OrderedIndex("4 1 2 5"))
    return ChangeSet(from: old, to: new, changedKeys: touched)
      .addingContentChanges(changedKeys, from: old, to: new).rows.map(\.description)
  }

  @Test func noContentChangesAddNothing() throws {
    #expect(try added([:]) == ["delete [0, 2]", "move [0, 3] → [0, 0]", "insert [0, 3]"])
    #expect(try added([1: [], 9: ["title"]]) == added([:]))
  }

  @Test func recordsOfRowsInBothListsGetTheirKeys() throws {
    #expect(
      try added([4: ["title"], 3: ["title"], 5: ["title"]])
        == ["delete [0, 2]", "move [0, 3] → [0, 0] changed title", "insert [0, 3]"])
  }

  @Test func otherRowsOfBothListsAreUpdated() throws {
    #expect(
      try added([2: ["title", "order"]])
        == [
          "delete [0, 2]", "move [0, 3] → [0, 0]", "update [0, 1] → [0, 2] changed title, order",
          "insert [0, 3]",
        ])
  }
}
