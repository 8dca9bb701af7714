import MohoChanges
import Testing

@Suite struct ChangeSetTests {
  private func changes(
    _ old: String, _ new: String, _ changedKeys: [Int64: [String]] = [:]
  ) throws -> [RowChange] {
    let transition = try Transition(
      old: OrderedIndex(old), new: OrderedIndex(new), changedKeys: changedKeys)
    #expect(transition.defect() == nil)
    return transition.changes.rows
  }

  @Test func equalListsHaveNoChanges() throws {
    #expect(try changes("1 2 3", "1 2 3").isEmpty)
    #expect(try changes("A: 1 | B: 2", "A: 1 | B: 2").isEmpty)
    #expect(try changes("", "").isEmpty)
  }

  @Test func movedAndChangedRowIsOneRecord() throws {
    let rows = try changes("1 2 3", "3 1 2", [3: ["title", "publishedAt"]])

    #expect(
      rows == [.move(3, from: RowPath(0, 2), to: RowPath(0, 0), changed: ["title", "publishedAt"])])
    #expect(rows.first?.kind == .move)
    #expect(rows.first?.isMove == true)
    #expect(rows.first?.content == .changed(["title", "publishedAt"]))
  }

  @Test func swapOfTwoTouchedRowsIsOneMoveAndOneUpdate() throws {
    let rows = try changes("1 2", "2 1", [1: ["title"], 2: ["title"]])

    #expect(rows.count == 2)
    #expect(rows.filter(\.isMove).count == 1)
    #expect(rows.filter { $0.kind == .update }.count == 1)
  }

  @Test func swapIsOneMoveOfTheTouchedRow() throws {
    #expect(
      try changes("1 2", "2 1", [1: []]) == [.move(1, from: RowPath(0, 0), to: RowPath(0, 1))])
    #expect(
      try changes("1 2", "2 1", [2: []]) == [.move(2, from: RowPath(0, 1), to: RowPath(0, 0))])
  }

  @Test func rowsShiftedByADeletionDoNotMove() throws {
    #expect(try changes("1 2 3 4", "2 3 4") == [.delete(1, at: RowPath(0, 0))])
  }

  @Test func renumberedRowsHaveNoMoves() throws {
    let rows = try changes("1 2 3 4", "2 3 4", [2: ["number"], 3: ["number"], 4: ["number"]])

    #expect(rows.map(\.kind) == [.delete, .update, .update, .update])
    #expect(rows[1] == .update(2, from: RowPath(0, 1), to: RowPath(0, 0), changed: ["number"]))
  }

  @Test func touchedRowWithoutMoveOrContentChangeHasNoRecord() throws {
    #expect(try changes("1 2 3", "1 2 3", [2: []]).isEmpty)
    #expect(try changes("1 2 3", "2 3", [2: [], 3: []]) == [.delete(1, at: RowPath(0, 0))])
  }

  @Test func entriesOfInsertedAndDeletedRowsAddNoKeys() throws {
    let rows = try changes("1 2", "2 3", [1: ["title"], 3: ["title"]])

    #expect(rows == [.delete(1, at: RowPath(0, 0)), .insert(3, at: RowPath(0, 1))])
  }

  @Test func insertionsAndDeletionsWithoutEntriesMoveNoRows() throws {
    let rows = try changes("1 2 3 4", "9 1 3 8 4 7", [3: ["title"]])

    #expect(rows.map(\.kind) == [.delete, .insert, .update, .insert, .insert])
  }

  @Test func entriesOfUnknownRowsAreIgnored() throws {
    #expect(try changes("1 2", "1 2", [9: ["title"], .min: ["title"], .max: []]).isEmpty)
  }

  @Test func changesFromAndToAnEmptyListHaveNoMoves() throws {
    #expect(try changes("", "1 2").map(\.kind) == [.insert, .insert])
    #expect(try changes("1 2", "").map(\.kind) == [.delete, .delete])
  }

  @Test func deletionsPrecedeAllOtherRecordsInOrderOfNewPaths() throws {
    let rows = try changes(
      "A: 1 2 3 | B: 4 5 6", "A: 6 2 7 | B: 8 5", [2: ["title"], 5: ["title"], 6: []])

    #expect(
      rows.map(\.description) == [
        "delete [0, 0]", "delete [0, 2]", "delete [1, 0]",
        "move [1, 2] → [0, 0]", "update [0, 1] → [0, 1] changed title", "insert [0, 2]",
        "insert [1, 0]", "update [1, 1] → [1, 1] changed title",
      ])
  }

  @Test(arguments: [Int64.min, -1_000_000_007, 4_000_000_000])
  func sparseRowIDsAreCompared(far: Int64) throws {
    let transition = Transition(
      old: OrderedIndex(rowIDs: [far, 1, 2, .max]),
      new: OrderedIndex(rowIDs: [3, 1, .max, 2, 0]),
      changedKeys: [2: []])

    #expect(transition.defect() == nil)
    #expect(transition.changes.rows.map(\.kind) == [.delete, .insert, .move, .insert])
  }

  @Test func repeatedRowIDsDoNotTrap() {
    let old = OrderedIndex(rowIDs: [1, 1, 2, 2, 3])
    let new = OrderedIndex(rowIDs: [2, 1, 1, 1, 3, 3])

    for touched in subsets(of: [1, 2, 3] as [Int64]) {
      let keys = Dictionary(uniqueKeysWithValues: touched.map { ($0, ["title"]) })
      _ = ChangeSet(from: old, to: new, changedKeys: keys).batchPlan
    }
  }
}
