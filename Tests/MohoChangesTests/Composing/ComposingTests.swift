import MohoChanges
import Testing

@Suite struct ComposingTests {
  private func composed(
    _ lists: [String], _ first: [Int64: [String]] = [:], _ second: [Int64: [String]] = [:]
  ) throws -> [String] {
    let states = try lists.map { try OrderedIndex($0) }
    let changes = ChangeSet(from: states[0], to: states[1], changedKeys: first)
      .followed(
        by: ChangeSet(from: states[1], to: states[2], changedKeys: second),
        from: states[0], to: states[2], keys: ["title", "order", "genre"])
    return changes.sections.map(\.description) + changes.rows.map(\.description)
  }

  @Test func rowThatCameAndWentHasNoRecord() throws {
    #expect(try composed(["A: 1", "A: 1 | B: 2", "A: 1"]).isEmpty)
  }

  @Test func rowThatWentAndCameBackChangedInAllKeys() throws {
    #expect(
      try composed(["1 2 3", "1 3", "1 2 3"])
        == ["update [0, 1] → [0, 1] changed title, order, genre"])
    #expect(
      try composed(["1 2 3", "1 3", "1 3 2"])
        == ["move [0, 1] → [0, 2] changed title, order, genre"])
  }

  @Test func keysOfBothChangesAreNamedInDeclarationOrder() throws {
    #expect(
      try composed(["1 2", "1 2", "1 2"], [2: ["genre"]], [2: ["title", "genre"]])
        == ["update [0, 1] → [0, 1] changed title, genre"])
  }

  @Test func keysThatAreNotDeclaredComeLastInAlphabeticalOrder() throws {
    #expect(
      try composed(["1", "1", "1"], [1: ["rank", "genre"]], [1: ["title", "mood", "age"]])
        == ["update [0, 0] → [0, 0] changed title, genre, age, mood, rank"])
  }

  @Test func movingThereAndBackIsNoMove() throws {
    #expect(try composed(["1 2 3", "3 1 2", "1 2 3"], [3: []], [3: []]).isEmpty)
  }

  @Test func insertedRowThatChangesIsInserted() throws {
    #expect(
      try composed(["1", "1 2", "2 1"], [:], [2: ["order"]]) == ["insert [0, 0]"])
  }

  @Test func listThatBecomesSectionedIsComparedWhole() throws {
    let changes = try composed(["1 2", "1 2 3", "A: 1 2 | B: 3"], [:], [:])

    #expect(changes.first == "delete section 0 all")
    #expect(changes.last == "insert [1, 0]")
  }

  @Test func inverseLeadsBack() throws {
    let transition = try Transition(
      old: OrderedIndex("A: 1 2 3 | B: 4"), new: OrderedIndex("A: 3 1 | C: 5 4"),
      changedKeys: [3: ["title"], 4: ["genre"]])

    #expect(
      transition.changes.inverse.description == """
        delete section 1 "C"
        insert section 1 "B"
        delete [1, 0]
        insert [0, 1]
        move [0, 0] → [0, 2] changed title
        move [1, 1] → [1, 0] changed genre
        """)
  }
}
