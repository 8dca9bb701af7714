import MohoChanges
import Testing

@Suite struct ChangeDescriptionTests {
  @Test(arguments: [
    (
      RowChange.move(1, from: RowPath(0, 2), to: RowPath(0, 0), changed: ["title", "publishedAt"]),
      "move [0, 2] → [0, 0] changed title, publishedAt"
    ),
    (.move(1, from: RowPath(0, 2), to: RowPath(1, 0)), "move [0, 2] → [1, 0]"),
    (.insert(1, at: RowPath(1, 0)), "insert [1, 0]"),
    (.delete(1, at: RowPath(0, 4)), "delete [0, 4]"),
    (
      .update(1, from: RowPath(0, 3), to: RowPath(0, 4), changed: ["title"]),
      "update [0, 3] → [0, 4] changed title"
    ),
  ])
  func rowChangeIsOneLine(change: RowChange, description: String) {
    #expect(change.description == description)
  }

  @Test func changeSetListsSectionsThenRows() throws {
    let changes = try Transition(
      old: OrderedIndex("A: 1 2 | B: 3"),
      new: OrderedIndex("A: 2 4 | C: 3"),
      changedKeys: [2: ["title"], 3: ["genre"]]
    ).changes

    #expect(
      changes.description == """
        delete section 1 "B"
        insert section 1 "C"
        delete [0, 0]
        update [0, 1] → [0, 0] changed title
        insert [0, 1]
        move [1, 0] → [1, 0] changed genre
        """)
  }

  @Test func insertsAndDeletesHaveUnchangedContent() {
    #expect(RowChange.insert(1, at: RowPath(0, 0)).content == .unchanged)
    #expect(RowChange.delete(1, at: RowPath(0, 0)).changedKeys.isEmpty)
  }
}
