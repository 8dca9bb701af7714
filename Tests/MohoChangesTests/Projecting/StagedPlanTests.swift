import MohoChanges
import Testing

@Suite struct StagedPlanTests {
  private func stages(_ old: String, _ new: String, _ touched: [Int64]) throws
    -> [StagedPlan.Stage]
  {
    let transition = try Transition(
      old: OrderedIndex(old), new: OrderedIndex(new),
      changedKeys: Dictionary(uniqueKeysWithValues: touched.map { ($0, ["genre"]) }))
    #expect(transition.defect() == nil)
    return transition.changes.stagedPlan(oldSectionCount: transition.old.sectionCount).stages
  }

  @Test func emptyChangeSetHasNoStages() throws {
    #expect(try stages("A: 1", "A: 1", []).isEmpty)
  }

  @Test func changeThatFitsOneBatchHasOneStage() throws {
    let stages = try stages("A: 1 2 | B: 3", "A: 2 1 | C: 4", [1])

    #expect(stages.count == 1)
    #expect(stages[0].plan.deletedSections == [1])
    #expect(stages[0].sections == [.new(0), .new(1)])
  }

  @Test func moveFromADeletedToAnInsertedSectionIsAMove() throws {
    let stages = try stages("A: 1 | B: 2", "B: 2 | C: 1", [1])

    #expect(stages.map(\.plan.insertedSections) == [[2], [], []])
    #expect(
      stages.map(\.plan.movedRows) == [[], [.init(from: RowPath(0, 0), to: RowPath(2, 0))], []])
    #expect(
      stages.map(\.plan.reconfiguredRows) == [
        [], [.init(old: RowPath(0, 0), new: RowPath(2, 0), changedKeys: ["genre"])], [],
      ])
    #expect(stages.map(\.plan.deletedSections) == [[], [], [0]])
    #expect(
      stages.map(\.sections) == [
        [.old(0), .old(1), .empty(.text("C"))],
        [.empty(.text("A")), .new(0), .new(1)],
        [.new(0), .new(1)],
      ])
  }

  @Test func stagesWithoutOperationsAreOmitted() throws {
    #expect(try stages("A: 1 | B: 2", "B: 1 2", [1]).map(\.plan.deletedSections) == [[], [0]])
    #expect(try stages("B: 1 2", "A: 1 | B: 2", [1]).map(\.plan.insertedSections) == [[0], []])
  }

  @Test(arguments: [-1, 0, 1, 9])
  func wrongSectionCountDoesNotTrap(count: Int) throws {
    let changes = try Transition(
      old: OrderedIndex("A: 1 | B: 2"), new: OrderedIndex("B: 2 | C: 1"), changedKeys: [1: []]
    ).changes

    #expect(changes.stagedPlan(oldSectionCount: count).stages.count == 3)
  }
}
