import MohoChanges
import MohoTesting

extension TableRuleCase {
  /// Paths and indexes that do not exist, and inconsistent counts.
  static let outOfBounds: [TableRuleCase] = [
    TableRuleCase(
      .missingSection, "deleted section", before: "1 | 2",
      illegal: ("1", { $0.deletedSections = [2] }),
      legal: ("1", { $0.deletedSections = [1] })),
    TableRuleCase(
      .missingSection, "reloaded section", before: "1 | 2",
      illegal: ("1 | 2", { $0.reloadedSections = [-1] }),
      legal: ("1 | 2* 3", { $0.reloadedSections = [1] })),
    TableRuleCase(
      .missingSection, "moved section", before: "1 | 2",
      illegal: ("2 | 1", { $0.movedSections = [.init(from: 2, to: 0)] }),
      legal: ("2 | 1", { $0.movedSections = [.init(from: 1, to: 0)] })),
    TableRuleCase(
      .missingRow, "deleted row", before: "1 2",
      illegal: ("1", { $0.deletedRows = [RowPath(0, 2)] }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .missingRow, "reloaded row in a missing section", before: "1 2",
      illegal: ("1 2", { $0.reloadedRows = [RowPath(1, 0)] }),
      legal: ("1 2*", { $0.reloadedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .missingRow, "moved row", before: "1 2",
      illegal: ("2 1", { $0.movedRows = [move((0, 2), (0, 0))] }),
      legal: ("2 1", { $0.movedRows = [move((0, 1), (0, 0))] })),
    TableRuleCase(
      .missingRow, "reconfigured row", before: "1 2",
      illegal: ("1 2*", { $0.reconfiguredRows = [configure((0, 2), (0, 1))] }),
      legal: ("1 2*", { $0.reconfiguredRows = [configure((0, 1), (0, 1))] })),
    TableRuleCase(
      .missingDestination, "inserted section", before: "1",
      illegal: ("1 | 2", { $0.insertedSections = [2] }),
      legal: ("1 | 2", { $0.insertedSections = [1] })),
    TableRuleCase(
      .missingDestination, "inserted row", before: "1",
      illegal: ("1 2", { $0.insertedRows = [RowPath(0, 2)] }),
      legal: ("1 2", { $0.insertedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .missingDestination, "target of a moved row", before: "1 2",
      illegal: ("2 1", { $0.movedRows = [move((0, 0), (0, 2))] }),
      legal: ("2 1", { $0.movedRows = [move((0, 0), (0, 1))] })),
    TableRuleCase(
      .missingDestination, "target of a moved section", before: "1 | 2",
      illegal: ("2 | 1", { $0.movedSections = [.init(from: 0, to: 2)] }),
      legal: ("2 | 1", { $0.movedSections = [.init(from: 0, to: 1)] })),
    TableRuleCase(
      .wrongSectionCount, "section deleted without operations", before: "1 | 2",
      illegal: ("1", { _ in }),
      legal: ("1", { $0.deletedSections = [1] })),
    TableRuleCase(
      .wrongRowCount, "row deleted without operations", before: "1 2",
      illegal: ("1", { _ in }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .wrongRowCount, "row inserted into the wrong section", before: "1 | 2",
      illegal: ("1 | 2 3", { $0.insertedRows = [RowPath(0, 0)] }),
      legal: ("1 | 2 3", { $0.insertedRows = [RowPath(1, 1)] })),
    TableRuleCase(
      .dataSourceUpdatedLate, "deleted row still in the data source", before: "1 2",
      illegal: ("1 2", { $0.deletedRows = [RowPath(0, 1)] }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .dataSourceUpdatedLate, "inserted section not in the data source", before: "1",
      illegal: ("1", { $0.insertedSections = [0] }),
      legal: ("2 | 1", { $0.insertedSections = [0] })),
  ]
}
