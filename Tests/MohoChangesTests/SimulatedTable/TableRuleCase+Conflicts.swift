import MohoChanges
import MohoTesting

extension TableRuleCase {
  /// Operations that contradict each other.
  static let conflicts: [TableRuleCase] = [
    TableRuleCase(
      .repeatedOperation, "row deleted twice", before: "1 2 3",
      illegal: ("3", { $0.deletedRows = [RowPath(0, 0), RowPath(0, 0)] }),
      legal: ("3", { $0.deletedRows = [RowPath(0, 0), RowPath(0, 1)] })),
    TableRuleCase(
      .repeatedOperation, "row inserted twice", before: "1",
      illegal: ("1 2 3", { $0.insertedRows = [RowPath(0, 1), RowPath(0, 1)] }),
      legal: ("1 2 3", { $0.insertedRows = [RowPath(0, 2), RowPath(0, 1)] })),
    TableRuleCase(
      .repeatedOperation, "section deleted twice", before: "1 | 2 | 3",
      illegal: ("3", { $0.deletedSections = [0, 0] }),
      legal: ("3", { $0.deletedSections = [1, 0] })),
    TableRuleCase(
      .deletedAndMovedRow, "row deleted and moved", before: "1 2 3",
      illegal: (
        "3 2",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.movedRows = [move((0, 0), (0, 1))]
        }
      ),
      legal: (
        "3 2",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.movedRows = [move((0, 2), (0, 0))]
        }
      )),
    TableRuleCase(
      .reloadedAndMovedRow, "row reloaded and moved", before: "1 2",
      illegal: (
        "2 1*",
        {
          $0.reloadedRows = [RowPath(0, 0)]
          $0.movedRows = [move((0, 0), (0, 1))]
        }
      ),
      legal: (
        "2 1*",
        {
          $0.reconfiguredRows = [configure((0, 0), (0, 1))]
          $0.movedRows = [move((0, 0), (0, 1))]
        }
      )),
    TableRuleCase(
      .deletedAndReloadedRow, "row deleted and reloaded", before: "1 2",
      illegal: (
        "2*",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.reloadedRows = [RowPath(0, 0)]
        }
      ),
      legal: (
        "2*",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.reloadedRows = [RowPath(0, 1)]
        }
      )),
    TableRuleCase(
      .insertedAndMovedRow, "row inserted and another row moved to the same path", before: "1 2",
      illegal: (
        "2 1 3",
        {
          $0.insertedRows = [RowPath(0, 1)]
          $0.movedRows = [move((0, 0), (0, 1))]
        }
      ),
      legal: (
        "2 1 3",
        {
          $0.insertedRows = [RowPath(0, 2)]
          $0.movedRows = [move((0, 0), (0, 1))]
        }
      )),
    TableRuleCase(
      .repeatedMove, "row moved to two paths", before: "1 2 3",
      illegal: ("3 1 2", { $0.movedRows = [move((0, 2), (0, 0)), move((0, 2), (0, 1))] }),
      legal: ("3 1 2", { $0.movedRows = [move((0, 2), (0, 0))] })),
    TableRuleCase(
      .repeatedMove, "two rows moved to the same path", before: "1 2 3",
      illegal: ("3 2 1", { $0.movedRows = [move((0, 2), (0, 0)), move((0, 1), (0, 0))] }),
      legal: ("3 2 1", { $0.movedRows = [move((0, 2), (0, 0)), move((0, 1), (0, 1))] })),
    TableRuleCase(
      .repeatedMove, "two sections moved to the same index", before: "1 | 2 | 3",
      illegal: (
        "3 | 2 | 1", { $0.movedSections = [.init(from: 2, to: 0), .init(from: 1, to: 0)] }
      ),
      legal: (
        "3 | 2 | 1", { $0.movedSections = [.init(from: 2, to: 0), .init(from: 0, to: 2)] }
      )),
  ]
}
