import MohoChanges
import MohoTesting
import Testing

/// Operations that simulated lists reject. The campaign tests the operations
/// that they accept.
@Suite struct SimulatedListTests {
  typealias Rows = SimulatedTable<String>.Rows

  struct Rejection: Sendable {
    let rule: TableRule
    let after: String
    let edits: [SequentialEdit]

    init(_ rule: TableRule, _ after: String, _ edits: [SequentialEdit]) {
      (self.rule, self.after, self.edits) = (rule, after, edits)
    }
  }

  @Test(arguments: [
    Rejection(.missingSection, "1 2 | 3", [.deleteSection(2)]),
    Rejection(.missingRow, "1 2 | 3", [.deleteRow(RowPath(0, 2))]),
    Rejection(.missingRow, "1 2 | 3", [.moveRow(from: RowPath(2, 0), to: RowPath(0, 0))]),
    Rejection(.missingRow, "1", [.deleteRow(RowPath(0, 1)), .deleteRow(RowPath(0, 1))]),
    Rejection(.missingRow, "1 2 | 3*", [.reconfigureRow(RowPath(1, 1), changedKeys: [])]),
    Rejection(.missingDestination, "1 2 | 3 4", [.insertRow(RowPath(1, 2), new: RowPath(1, 1))]),
    Rejection(.missingDestination, "1 2 | 3 4", [.insertRow(RowPath(1, 1), new: RowPath(1, 2))]),
    Rejection(.missingDestination, "1 2 | 3", [.moveRow(from: RowPath(0, 1), to: RowPath(0, 2))]),
    Rejection(.missingDestination, "1 2 | 3", [.insertSection(3, .all)]),
    Rejection(.redundantOperation, "1 2 | 3", [.moveRow(from: RowPath(0, 1), to: RowPath(0, 1))]),
    Rejection(.redundantOperation, "1 2", [.deleteSection(1)]),
    Rejection(.contents, "2 1 | 3", []),
    Rejection(.contents, "2 1* | 3", [.reconfigureRow(RowPath(0, 1), changedKeys: [])]),
    Rejection(.stale, "2* 1 | 3", [.moveRow(from: RowPath(0, 1), to: RowPath(0, 0))]),
    Rejection(.unnecessaryRendering, "1 2 | 3", [.reconfigureRow(RowPath(0, 1), changedKeys: [])]),
  ])
  func invalidStepIsRejected(rejection: Rejection) {
    let before = Rows("1 2 | 3")
    var list = SimulatedList(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try list.perform(rejection.edits, after: Rows(rejection.after), mode: [.strict, .minimal])
    }

    #expect(violation?.rule == rejection.rule, "\(String(describing: violation))")
    #expect(list.cells == before)
    #expect(list.renderCounts.isEmpty)
  }

  @Test(arguments: [
    (TableRule.missingRow, "1 2 3", [ListSplice(old: 2..<4, new: 2..<3)]),
    (.missingDestination, "1 2 3", [ListSplice(old: 2..<3, new: 2..<4)]),
    (
      .repeatedOperation, "1* 2* 3",
      [ListSplice(old: 1..<2, new: 1..<2), ListSplice(old: 0..<1, new: 0..<1)]
    ),
    (.contents, "1 2", []),
    (.stale, "1 2* 3", [ListSplice(old: 0..<1, new: 0..<1)]),
  ])
  func invalidSpliceIsRejected(rule: TableRule, after: String, splices: [ListSplice]) {
    let before = Rows("1 2 3").flat
    var list = SimulatedFlatList(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try list.perform(splices, after: Rows(after).flat)
    }

    #expect(violation?.rule == rule)
    #expect(list.cells == before)
  }

  @Test func differenceOfUnrelatedRowsIsRejected() throws {
    let (old, new) = try (OrderedIndex("1 2 3"), OrderedIndex("3 1 4"))
    let changes = ChangeSet(from: old, to: new, changedKeys: [3: ["title"]])
    let plan = try #require(changes.difference(from: old, to: new))
    let outcomes: [(before: String, after: String, mode: TableMode, TableRule?)] = [
      ("1 2 3", "3* 1 4", .minimal, nil), ("1 2 5", "3* 1 4", .strict, .missingRow),
      ("1 2 3", "3* 1", .strict, .missingDestination),
      ("1 2 3", "3 1 4", .minimal, .unnecessaryRendering),
      ("1 2 3", "3 1 4", .strict, nil), ("1 2 3", "3* 1* 4", .strict, .stale),
      ("1 2 3", "3* 7 4", .strict, .contents),
    ]
    for (before, after, mode, rule) in outcomes {
      var list = SimulatedFlatList(rows: Rows(before).flat)
      var found: TableRule?
      do throws(TableViolation) {
        try list.perform(plan, after: Rows(after).flat, mode: mode)
      } catch {
        found = error.rule
      }
      #expect(found == rule, "\(before) → \(after)")
      #expect(list.renderCounts == (rule == nil ? [3: 1, 4: 1] : [:]))
    }
  }

  @Test func stagedPlanThatDoesNotProduceTheNewRowsIsRejected() throws {
    let transition = try Transition(
      old: OrderedIndex("A: 1 | B: 2"), new: OrderedIndex("B: 2 1"), changedKeys: [1: []])
    let before = Rows(transition.old) { "\($0)" }
    let after = Rows(transition.new) { "\($0)" }
    var table = SimulatedTable(rows: before)

    // With the wrong section count, the plan lacks the last section.
    let plan = transition.changes.stagedPlan(oldSectionCount: 1)
    #expect(throws: TableViolation.self) {
      try table.perform(plan, before: before, after: after)
    }

    // An empty plan does not produce the new rows.
    let emptyChanges = ChangeSet(from: transition.old, to: transition.old, changedKeys: [:])
    let violation = #expect(throws: TableViolation.self) {
      try table.perform(emptyChanges.stagedPlan(oldSectionCount: 2), before: before, after: after)
    }
    #expect(violation?.rule == .contents)

    #expect(table.cells == before)
    #expect(table.renderCounts.isEmpty)
  }
}
