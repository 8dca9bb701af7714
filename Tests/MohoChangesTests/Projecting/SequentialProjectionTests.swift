import MohoChanges
import Testing

/// The projections for views that apply one operation after another.
@Suite struct SequentialProjectionTests {
  private func transition(
    _ old: String, _ new: String, _ changedKeys: [Int64: [String]] = [:]
  ) throws -> Transition {
    try Transition(old: OrderedIndex(old), new: OrderedIndex(new), changedKeys: changedKeys)
  }

  private func edits(_ transition: Transition) -> [SequentialEdit] {
    transition.changes.sequentialEdits(from: transition.old, to: transition.new)
  }

  @Test func pathsOfAStepReferToTheListAfterThePreviousStep() throws {
    let transition = try transition(
      "A: 1 2 3 | B: 4", "A: 3 1 | C: 5 4", [3: ["title"], 4: ["genre"]])

    #expect(
      edits(transition) == [
        .deleteRow(RowPath(0, 1)),
        .insertSection(2, .text("C")),
        .moveRow(from: RowPath(0, 1), to: RowPath(0, 0)),
        .insertRow(RowPath(2, 0), new: RowPath(1, 0)),
        .moveRow(from: RowPath(1, 0), to: RowPath(2, 1)),
        .deleteSection(1),
        .reconfigureRow(RowPath(0, 0), changedKeys: ["title"]),
        .reconfigureRow(RowPath(1, 1), changedKeys: ["genre"]),
      ])
  }

  @Test func pathsOfAMoveIncludeTheEffectOfEarlierMoves() throws {
    let transition = try transition("1 2 3", "3 2 1", [2: [], 3: []])
    let moves = transition.changes.rows.count(where: \.isMove)

    #expect(moves == 2)
    #expect(
      edits(transition) == [
        .moveRow(from: RowPath(0, 2), to: RowPath(0, 0)),
        .moveRow(from: RowPath(0, 2), to: RowPath(0, 1)),
      ])
  }

  @Test func splicesAreNotAdjacent() throws {
    let transition = try transition("1 2 3 4 5 6", "7 1 4 8 5 3", [3: [], 5: ["title"]])

    #expect(
      transition.changes.splices(from: transition.old, to: transition.new) == [
        ListSplice(old: 0..<0, new: 0..<1), ListSplice(old: 1..<3, new: 2..<2),
        ListSplice(old: 4..<6, new: 3..<6),
      ])
  }

  @Test func movesOfADifferenceAreAssociated() throws {
    let transition = try transition("A: 1 2 | B: 3", "A: 3 1 | B: 4", [3: ["genre"]])
    let plan = try #require(
      transition.changes.difference(from: transition.old, to: transition.new))

    #expect(
      Array(plan.difference) == [
        .remove(offset: 2, element: 3, associatedWith: 0),
        .remove(offset: 1, element: 2, associatedWith: nil),
        .insert(offset: 0, element: 3, associatedWith: 2),
        .insert(offset: 2, element: 4, associatedWith: nil),
      ])
    #expect(plan.reconfiguredRows.map(\.old) == [2])
    #expect(plan.reconfiguredRows.map(\.new) == [0])
    #expect(plan.reconfiguredRows.map(\.changedKeys) == [["genre"]])
  }

  @Test func projectionsWithUnrelatedListsDoNotTrap() throws {
    let lists = try ["", "1", "A: 1 2 | B: 3", "C: 9", "B: 3 | A: 2"].map { try OrderedIndex($0) }
    let change = try transition("A: 1 2 3 | B: 4", "A: 3 1 | C: 5 4", [3: ["title"]]).changes
    for old in lists {
      for new in lists {
        _ = change.sequentialEdits(from: old, to: new)
        _ = change.splices(from: old, to: new)
        #expect(change.difference(from: old, to: new) == nil)
        let composed = change.followed(by: change, from: old, to: new, keys: [])
        _ = composed.batchPlan
      }
    }
  }
}
