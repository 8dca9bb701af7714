import MohoChanges
import MohoTesting
import Testing

@Suite struct SimulatedTableTests {
  @Test func uikitAcceptsRowOperationsInInsertedAndDeletedSections() throws {
    let before = SimulatedTable<String>.Rows("1 2 | 3")
    let after = SimulatedTable<String>.Rows("3 | 4 5")
    let operations = TableOperations {
      $0.deletedSections = [0]
      $0.insertedSections = [1]
      $0.deletedRows = [RowPath(0, 1)]
      $0.insertedRows = [RowPath(1, 0), RowPath(1, 1)]
    }
    var table = SimulatedTable(rows: before)

    try table.perform(operations, before: before, after: after, mode: .uikit)

    #expect(table.cells == after)
    #expect(table.renderCount == 2)
  }

  @Test func rowsHaveTheContentsOfAnIndexInOrder() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    try builder.append(contentsOf: [7, 9], section: .integer(1))
    try builder.append(8, section: .integer(2))
    let index = builder.finish()

    let rows = SimulatedTable.Rows(index, contents: ["a", "b", "c"])
    #expect(rows == SimulatedTable.Rows(index) { [7: "a", 9: "b", 8: "c"][$0] ?? "" })
    #expect(SimulatedTable.Rows(index, contents: ["a"]).counts == [1, 0])
  }

  @Test func movedAndUntouchedCellsAreNotDrawn() throws {
    let before = SimulatedTable<String>.Rows("1 2 3 4")
    let after = SimulatedTable<String>.Rows("4* 1 3 5")
    let operations = TableOperations {
      $0.deletedRows = [RowPath(0, 1)]
      $0.insertedRows = [RowPath(0, 3)]
      $0.movedRows = [move((0, 3), (0, 0))]
      $0.reconfiguredRows = [configure((0, 3), (0, 0))]
    }
    var table = SimulatedTable(rows: before)

    try table.perform(operations, before: before, after: after, mode: [.strict, .minimal])

    #expect(table.renderCount == 2)
  }

  @Test func unchangedRowsOfAReloadedSectionAreRenderedUnnecessarily() throws {
    let before = SimulatedTable<String>.Rows("1 2")
    let after = SimulatedTable<String>.Rows("1 2*")
    let operations = TableOperations { $0.reloadedSections = [0] }
    var table = SimulatedTable(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try table.perform(operations, before: before, after: after, mode: .minimal)
    }

    #expect(violation?.rule == .unnecessaryRendering)
    #expect(violation?.message == "the cell at [0, 0] is drawn again and shows the same as before")
  }

  @Test func swapReportedAsReloadAndMoveIsRejected() throws {
    // The operations that `NSFetchedResultsController` reports for two rows
    // that are swapped.
    let before = SimulatedTable<String>.Rows("1 2")
    let after = SimulatedTable<String>.Rows("2* 1*")
    let operations = TableOperations {
      $0.movedRows = [move((0, 1), (0, 0))]
      $0.reloadedRows = [RowPath(0, 0)]
    }
    var table = SimulatedTable(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try table.perform(operations, before: before, after: after, mode: .uikit)
    }

    #expect(violation?.rule == .reloadWithMove)
  }

  @Test func descriptionOfAViolationNamesRuleAndPath() throws {
    let before = SimulatedTable<String>.Rows("1 2")
    let operations = TableOperations { $0.deletedRows = [RowPath(0, 20)] }
    var table = SimulatedTable(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try table.perform(operations, before: before, after: before)
    }

    #expect(
      violation?.description == """
        E2 missingRow: attempt to delete row [0, 20], but there are only 2 rows before the update
        """)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func randomOperationsDoNotTrap(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let number = { (generator: inout SeededGenerator) in generator.below(5) - 1 }
    let path = { (generator: inout SeededGenerator) in
      RowPath(number(&generator), number(&generator))
    }
    let lists = ["", "1 2 3", "1 2 | 3", "1 | 2 | 3 4", "| 3 | 1*"].map {
      SimulatedTable<String>.Rows($0)
    }
    for _ in 0..<400 {
      let operations = TableOperations {
        for _ in 0..<generator.below(4) {
          switch generator.below(9) {
          case 0: $0.deletedSections.append(number(&generator))
          case 1: $0.insertedSections.append(number(&generator))
          case 2: $0.reloadedSections.append(number(&generator))
          case 3:
            $0.movedSections.append(.init(from: number(&generator), to: number(&generator)))
          case 4: $0.deletedRows.append(path(&generator))
          case 5: $0.insertedRows.append(path(&generator))
          case 6: $0.reloadedRows.append(path(&generator))
          case 7: $0.movedRows.append(.init(from: path(&generator), to: path(&generator)))
          default:
            $0.reconfiguredRows.append(
              .init(old: path(&generator), new: path(&generator), changedKeys: []))
          }
        }
      }
      let before = lists[generator.below(lists.count)]
      let after = lists[generator.below(lists.count)]
      var table = SimulatedTable(rows: before)
      let mode: TableMode = generator.below(2) == 0 ? .uikit : [.strict, .minimal]

      do {
        try table.perform(operations, before: before, after: after, mode: mode)
        #expect(table.cells == after, "seed \(seed): \(operations)")
      } catch {
        #expect(table.cells == before, "seed \(seed): \(operations)")
      }
    }
  }
}
