public import MohoChanges

extension SimulatedTable {
  /// Performs the batch updates of a staged plan in order.
  ///
  /// Between two stages, the data source has the sections of the stage, with
  /// rows from before or after the update. After a violation, the table is in
  /// its state before the first stage.
  ///
  /// - Parameters:
  ///   - plan: The batch updates.
  ///   - before: The rows of the data source before the first stage.
  ///   - after: The rows of the data source after the last stage.
  ///   - mode: The strictness of the checks.
  /// - Throws: ``TableViolation`` for the first broken rule.
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows and *k* operations.
  public mutating func perform(
    _ plan: StagedPlan,
    before: Rows,
    after: Rows,
    mode: TableMode = .strict
  ) throws(TableViolation) {
    var table = self
    var shown = before
    for stage in plan.stages {
      let next = Rows(stage.sections, before: before, after: after)
      try table.perform(stage.plan, before: shown, after: next, mode: mode)
      shown = next
    }
    guard shown == after else {
      throw TableViolation(
        .contents, "the last stage leaves rows \(shown.counts), the data source has \(after.counts)"
      )
    }
    self = table
  }
}

extension SimulatedTable.Rows {
  /// Creates the rows of a data source between two stages. Sections that do not
  /// exist are empty.
  public init(
    _ sections: [StagedPlan.Section], before: SimulatedTable.Rows, after: SimulatedTable.Rows
  ) {
    self.init(
      sections: sections.map { section in
        switch section {
        case .old(let number): before.rows(inSection: number)
        case .new(let number): after.rows(inSection: number)
        case .empty: []
        }
      })
    for (number, section) in sections.enumerated() {
      switch section {
      case .old(let old): headers[number] = before.headers[old]
      case .new(let new): headers[number] = after.headers[new]
      case .empty: break
      }
    }
  }

  private func rows(inSection number: Int) -> [SimulatedTable.Row] {
    sections.indices.contains(number) ? sections[number] : []
  }
}
