import MohoChanges
import MohoTesting

extension TableRuleCase {
  /// Paths and indexes that do not exist, and inconsistent counts.
  static let outOfBounds: [TableRuleCase] = [
    TableRuleCase(
      .e1, "deleted section", before: "1 | 2",
      illegal: ("1", { $0.deletedSections = [2] }),
      legal: ("1", { $0.deletedSections = [1] })),
    TableRuleCase(
      .e1, "reloaded section", before: "1 | 2",
      illegal: ("1 | 2", { $0.reloadedSections = [-1] }),
      legal: ("1 | 2* 3", { $0.reloadedSections = [1] })),
    TableRuleCase(
      .e1, "moved section", before: "1 | 2",
      illegal: ("2 | 1", { $0.movedSections = [.init(from: 2, to: 0)] }),
      legal: ("2 | 1", { $0.movedSections = [.init(from: 1, to: 0)] })),
    TableRuleCase(
      .e2, "deleted row", before: "1 2",
      illegal: ("1", { $0.deletedRows = [RowPath(0, 2)] }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .e2, "reloaded row in a missing section", before: "1 2",
      illegal: ("1 2", { $0.reloadedRows = [RowPath(1, 0)] }),
      legal: ("1 2*", { $0.reloadedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .e2, "moved row", before: "1 2",
      illegal: ("2 1", { $0.movedRows = [move((0, 2), (0, 0))] }),
      legal: ("2 1", { $0.movedRows = [move((0, 1), (0, 0))] })),
    TableRuleCase(
      .e2, "reconfigured row", before: "1 2",
      illegal: ("1 2*", { $0.reconfiguredRows = [configure((0, 2), (0, 1))] }),
      legal: ("1 2*", { $0.reconfiguredRows = [configure((0, 1), (0, 1))] })),
    TableRuleCase(
      .e3, "inserted section", before: "1",
      illegal: ("1 | 2", { $0.insertedSections = [2] }),
      legal: ("1 | 2", { $0.insertedSections = [1] })),
    TableRuleCase(
      .e3, "inserted row", before: "1",
      illegal: ("1 2", { $0.insertedRows = [RowPath(0, 2)] }),
      legal: ("1 2", { $0.insertedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .e3, "target of a moved row", before: "1 2",
      illegal: ("2 1", { $0.movedRows = [move((0, 0), (0, 2))] }),
      legal: ("2 1", { $0.movedRows = [move((0, 0), (0, 1))] })),
    TableRuleCase(
      .e3, "target of a moved section", before: "1 | 2",
      illegal: ("2 | 1", { $0.movedSections = [.init(from: 0, to: 2)] }),
      legal: ("2 | 1", { $0.movedSections = [.init(from: 0, to: 1)] })),
    TableRuleCase(
      .e15, "section deleted without operations", before: "1 | 2",
      illegal: ("1", { _ in }),
      legal: ("1", { $0.deletedSections = [1] })),
    TableRuleCase(
      .e16, "row deleted without operations", before: "1 2",
      illegal: ("1", { _ in }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .e16, "row inserted into the wrong section", before: "1 | 2",
      illegal: ("1 | 2 3", { $0.insertedRows = [RowPath(0, 0)] }),
      legal: ("1 | 2 3", { $0.insertedRows = [RowPath(1, 1)] })),
    TableRuleCase(
      .e18, "deleted row still in the data source", before: "1 2",
      illegal: ("1 2", { $0.deletedRows = [RowPath(0, 1)] }),
      legal: ("1", { $0.deletedRows = [RowPath(0, 1)] })),
    TableRuleCase(
      .e18, "inserted section not in the data source", before: "1",
      illegal: ("1", { $0.insertedSections = [0] }),
      legal: ("2 | 1", { $0.insertedSections = [0] })),
  ]
}
