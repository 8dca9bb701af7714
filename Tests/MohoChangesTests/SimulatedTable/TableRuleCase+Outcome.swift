import MohoChanges
import MohoTesting

extension TableRuleCase {
  /// Batches that a view accepts, but that show wrong content or draw cells
  /// without need.
  static let outcomes: [TableRuleCase] = [
    TableRuleCase(
      .contents, "wrong row moved", before: "1 2 3",
      illegal: ("3 1 2", { $0.movedRows = [move((0, 1), (0, 0))] }),
      legal: ("3 1 2", { $0.movedRows = [move((0, 2), (0, 0))] })),
    TableRuleCase(
      .contents, "order changed without operations", before: "1 2",
      illegal: ("2 1", { _ in }),
      legal: ("2 1", { $0.movedRows = [move((0, 1), (0, 0))] })),
    TableRuleCase(
      .contents, "row reconfigured with the content at its old path", before: "1 2 3",
      illegal: (
        "2* 3",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.reconfiguredRows = [configure((0, 1), (0, 1))]
        }
      ),
      legal: (
        "2* 3",
        {
          $0.deletedRows = [RowPath(0, 0)]
          $0.reconfiguredRows = [configure((0, 1), (0, 0))]
        }
      )),
    TableRuleCase(
      .stale, "row updated without operations", before: "1 2",
      illegal: ("1 2*", { _ in }),
      legal: ("1 2*", { $0.reconfiguredRows = [configure((0, 1), (0, 1))] })),
    TableRuleCase(
      .stale, "moved row with changed content not reconfigured", before: "1 2",
      illegal: ("2* 1", { $0.movedRows = [move((0, 1), (0, 0))] }),
      legal: (
        "2* 1",
        {
          $0.movedRows = [move((0, 1), (0, 0))]
          $0.reconfiguredRows = [configure((0, 1), (0, 0))]
        }
      )),
    TableRuleCase(
      .redundantOperation, "row deleted in a deleted section", before: "1 | 2",
      illegal: (
        "2",
        {
          $0.deletedSections = [0]
          $0.deletedRows = [RowPath(0, 0)]
        }
      ),
      legal: ("2", { $0.deletedSections = [0] })),
    TableRuleCase(
      .redundantOperation, "row inserted in an inserted section", before: "2",
      illegal: (
        "1 | 2",
        {
          $0.insertedSections = [0]
          $0.insertedRows = [RowPath(0, 0)]
        }
      ),
      legal: ("1 | 2", { $0.insertedSections = [0] })),
    TableRuleCase(
      .unnecessaryRendering, "unchanged row reconfigured", before: "1 2",
      illegal: ("1 2", { $0.reconfiguredRows = [configure((0, 1), (0, 1))] }),
      legal: ("1 2", { _ in })),
    TableRuleCase(
      .unnecessaryRendering, "unchanged row deleted and inserted", before: "1 2",
      illegal: (
        "2 1",
        {
          $0.deletedRows = [RowPath(0, 1)]
          $0.insertedRows = [RowPath(0, 0)]
        }
      ),
      legal: ("2 1", { $0.movedRows = [move((0, 1), (0, 0))] })),
    TableRuleCase(
      .unnecessaryRendering, "unchanged row reloaded", before: "1 2",
      illegal: ("1 2", { $0.reloadedRows = [RowPath(0, 0)] }),
      legal: ("1* 2", { $0.reloadedRows = [RowPath(0, 0)] })),
  ]
}
