public import MohoChanges

extension SimulatedTable {
  /// Performs the batch updates of a staged plan, one after the other.
  ///
  /// Between two stages the data source answers what the stage's sections say,
  /// from the rows before and after. After a violation the table is as it was
  /// before the first stage.
  ///
  /// - Parameters:
  ///   - plan: What the view is asked for.
  ///   - before: What the data source answers before the first stage.
  ///   - after: What the data source answers after the last stage.
  ///   - mode: What is demanded of each batch.
  /// - Throws: ``TableViolation`` for the first rule broken.
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
  /// What a data source answers while a staged plan is carried out. Sections
  /// that do not exist are empty.
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
  }

  private func rows(inSection number: Int) -> [SimulatedTable.Row] {
    sections.indices.contains(number) ? sections[number] : []
  }
}
