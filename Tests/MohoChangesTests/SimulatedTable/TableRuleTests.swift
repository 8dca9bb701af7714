import MohoChanges
import MohoTesting
import Testing

@Suite struct TableRuleTests {
  static let cases =
    TableRuleCase.outOfBounds + TableRuleCase.conflicts + TableRuleCase.sections
    + TableRuleCase.outcomes

  @Test(arguments: cases)
  func illegalBatchViolatesItsRule(example: TableRuleCase) {
    var table = SimulatedTable(rows: example.before)

    let violation = #expect(throws: TableViolation.self) {
      try table.perform(
        example.illegal, before: example.before, after: example.illegalAfter,
        mode: [.strict, .minimal])
    }

    #expect(violation?.rule == example.rule, "\(String(describing: violation))")
    #expect(table.cells == example.before)
    #expect(!table.isUpdating)
  }

  @Test(arguments: cases)
  func legalBatchProducesTheNewRows(example: TableRuleCase) throws {
    var table = SimulatedTable(rows: example.before)
    // A section reload also draws the unchanged rows of the section.
    let mode: TableMode =
      example.legal.reloadedSections.isEmpty ? [.strict, .minimal] : .strict

    try table.perform(
      example.legal, before: example.before, after: example.legalAfter, mode: mode)

    #expect(table.cells == example.legalAfter)
  }

  @Test func dataSourceThatChangesBeforeTheBatchIsRejected() throws {
    let before = SimulatedTable<String>.Rows("1 2")
    let after = SimulatedTable<String>.Rows("1")
    let operations = TableOperations { $0.deletedRows = [RowPath(0, 1)] }
    var table = SimulatedTable(rows: before)

    let violation = #expect(throws: TableViolation.self) {
      try table.perform(operations, before: after, after: after)
    }
    #expect(violation?.rule == .dataSourceUpdatedEarly)

    try table.perform(operations, before: before, after: after)
    #expect(table.cells == after)
  }

  @Test func nestedBatchIsRejected() throws {
    let before = SimulatedTable<String>.Rows("1 2")
    let after = SimulatedTable<String>.Rows("1")
    let operations = TableOperations { $0.deletedRows = [RowPath(0, 1)] }
    var table = SimulatedTable(rows: before)

    try table.beginUpdates(dataSource: before)
    let nested = #expect(throws: TableViolation.self) {
      try table.perform(operations, before: before, after: after)
    }
    #expect(nested?.rule == .nestedBatch)
    #expect(table.isUpdating)

    try table.endUpdates(operations, dataSource: after)
    #expect(table.cells == after)
    let unopened = #expect(throws: TableViolation.self) {
      try table.endUpdates(TableOperations(), dataSource: after)
    }
    #expect(unopened?.rule == .nestedBatch)
  }

  @Test func everyRuleIsTested() {
    let tested = Set(Self.cases.map(\.rule)).union([.dataSourceUpdatedEarly, .nestedBatch])

    #expect(TableRule.allCases.filter { !tested.contains($0) } == [])
  }

  @Test func rulesThatRaiseExceptionsHaveNumbers() {
    #expect(TableRule.allCases.compactMap(\.number) == Array(1...20))
    #expect("\(TableRule.deletedAndMovedRow)" == "E5 deletedAndMovedRow")
    #expect("\(TableRule.contents)" == "contents")
  }
}
