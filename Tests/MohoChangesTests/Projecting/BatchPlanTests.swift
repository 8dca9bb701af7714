import MohoChanges
import Testing

@Suite struct BatchPlanTests {
  private func plan(
    _ old: String, _ new: String, _ changedKeys: [Int64: [String]] = [:]
  ) throws -> BatchPlan {
    let transition = try Transition(
      old: OrderedIndex(old), new: OrderedIndex(new), changedKeys: changedKeys)
    #expect(transition.defect() == nil)
    return transition.changes.batchPlan
  }

  @Test func emptyChangeSetGivesAnEmptyPlan() throws {
    #expect(try plan("1 2", "1 2").isEmpty)
  }

  @Test func movedAndChangedRowIsMovedAndReconfigured() throws {
    let plan = try plan("1 2 3", "3 1 2", [3: ["title"]])

    #expect(plan.movedRows == [.init(from: RowPath(0, 2), to: RowPath(0, 0))])
    #expect(
      plan.reconfiguredRows == [
        .init(old: RowPath(0, 2), new: RowPath(0, 0), changedKeys: ["title"])
      ])
    #expect(plan.deletedRows.isEmpty && plan.insertedRows.isEmpty)
  }

  @Test func updatedRowIsReconfiguredWithBothPaths() throws {
    let plan = try plan("1 2 3", "2 3", [3: ["title"]])

    #expect(plan.deletedRows == [RowPath(0, 0)])
    #expect(
      plan.reconfiguredRows == [
        .init(old: RowPath(0, 2), new: RowPath(0, 1), changedKeys: ["title"])
      ])
  }

  @Test func moveOutOfADeletedSectionIsAnInsertion() throws {
    let plan = try plan("A: 1 | B: 2", "B: 2 1", [1: ["genre"]])

    #expect(plan.deletedSections == [0])
    #expect(plan.insertedRows == [RowPath(0, 1)])
    #expect(plan.movedRows.isEmpty && plan.deletedRows.isEmpty && plan.reconfiguredRows.isEmpty)
  }

  @Test func moveIntoAnInsertedSectionIsADeletion() throws {
    let plan = try plan("B: 2 1", "A: 1 | B: 2", [1: ["genre"]])

    #expect(plan.insertedSections == [0])
    #expect(plan.deletedRows == [RowPath(0, 1)])
    #expect(plan.movedRows.isEmpty && plan.insertedRows.isEmpty && plan.reconfiguredRows.isEmpty)
  }

  @Test func moveFromADeletedToAnInsertedSectionHasNoRowOperation() throws {
    let plan = try plan("A: 1 | B: 2", "B: 2 | C: 1", [1: ["genre"]])

    #expect(plan.deletedSections == [0])
    #expect(plan.insertedSections == [1])
    #expect(plan.deletedRows.isEmpty && plan.insertedRows.isEmpty && plan.movedRows.isEmpty)
  }

  @Test func rowsOfDeletedAndInsertedSectionsHaveNoRowOperations() throws {
    let plan = try plan("A: 1 2 | B: 3", "B: 3 | C: 4 5")

    #expect(plan.deletedSections == [0])
    #expect(plan.insertedSections == [1])
    #expect(plan.deletedRows.isEmpty && plan.insertedRows.isEmpty)
  }

  @Test func deletedRowsAndMovesIntoInsertedSectionsAscendTogether() throws {
    // Rows 3 and 1 move to a new section in reverse order. Row 2 is deleted.
    let plan = try plan("A: 1 2 3 4", "A: 4 | B: 3 1", [1: ["genre"], 3: ["genre"]])

    #expect(plan.deletedRows == [RowPath(0, 0), RowPath(0, 1), RowPath(0, 2)])
  }
}
