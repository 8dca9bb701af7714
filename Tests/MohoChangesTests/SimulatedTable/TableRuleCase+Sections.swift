import MohoChanges
import MohoTesting

extension TableRuleCase {
  /// Row and section operations that contradict each other.
  static let sections: [TableRuleCase] = [
    TableRuleCase(
      .moveFromDeletedSection, "row moved out of a deleted section", before: "1 | 2",
      illegal: (
        "1 2",
        {
          $0.deletedSections = [0]
          $0.movedRows = [move((0, 0), (0, 0))]
        }
      ),
      legal: (
        "1 2",
        {
          $0.deletedSections = [0]
          $0.insertedRows = [RowPath(0, 0)]
        }
      )),
    TableRuleCase(
      .moveIntoInsertedSection, "row moved into an inserted section", before: "1 2",
      illegal: (
        "1 | 2",
        {
          $0.insertedSections = [1]
          $0.movedRows = [move((0, 1), (1, 0))]
        }
      ),
      legal: (
        "1 | 2",
        {
          $0.insertedSections = [1]
          $0.deletedRows = [RowPath(0, 1)]
        }
      )),
    TableRuleCase(
      .conflictingSectionOperations, "section deleted and moved", before: "1 | 2 | 3",
      illegal: (
        "3 | 2",
        {
          $0.deletedSections = [0]
          $0.movedSections = [.init(from: 0, to: 1)]
        }
      ),
      legal: (
        "3 | 2",
        {
          $0.deletedSections = [0]
          $0.movedSections = [.init(from: 2, to: 0)]
        }
      )),
    TableRuleCase(
      .conflictingSectionOperations, "section deleted and reloaded", before: "1 | 2",
      illegal: (
        "2*",
        {
          $0.deletedSections = [0]
          $0.reloadedSections = [0]
        }
      ),
      legal: (
        "2*",
        {
          $0.deletedSections = [0]
          $0.reloadedSections = [1]
        }
      )),
    TableRuleCase(
      .conflictingSectionOperations, "section inserted and another section moved to the same index",
      before: "1 | 2",
      illegal: (
        "2 | 1 | 3",
        {
          $0.insertedSections = [1]
          $0.movedSections = [.init(from: 0, to: 1)]
        }
      ),
      legal: (
        "2 | 1 | 3",
        {
          $0.insertedSections = [2]
          $0.movedSections = [.init(from: 0, to: 1)]
        }
      )),
    TableRuleCase(
      .changeInMovedSection, "row deleted in a moved section", before: "1 2 | 3",
      illegal: (
        "3 | 2",
        {
          $0.movedSections = [.init(from: 0, to: 1)]
          $0.deletedRows = [RowPath(0, 0)]
        }
      ),
      legal: ("3 | 1 2", { $0.movedSections = [.init(from: 0, to: 1)] })),
    TableRuleCase(
      .changeInMovedSection, "row inserted in a moved section", before: "1 | 3",
      illegal: (
        "3 | 1 2",
        {
          $0.movedSections = [.init(from: 0, to: 1)]
          $0.insertedRows = [RowPath(1, 1)]
        }
      ),
      legal: (
        "3 2 | 1",
        {
          $0.movedSections = [.init(from: 0, to: 1)]
          $0.insertedRows = [RowPath(0, 1)]
        }
      )),
    TableRuleCase(
      .reloadWithMove, "row reloaded in a batch with a move", before: "1 2 3",
      illegal: (
        "3 1 2*",
        {
          $0.movedRows = [move((0, 2), (0, 0))]
          $0.reloadedRows = [RowPath(0, 1)]
        }
      ),
      legal: (
        "3 1 2*",
        {
          $0.movedRows = [move((0, 2), (0, 0))]
          $0.reconfiguredRows = [configure((0, 1), (0, 2))]
        }
      )),
    TableRuleCase(
      .reloadWithMove, "section reloaded in a batch with a move", before: "1 | 2 | 3",
      illegal: (
        "2 | 1 | 3*",
        {
          $0.movedSections = [.init(from: 0, to: 1)]
          $0.reloadedSections = [2]
        }
      ),
      legal: ("1 | 2 | 3*", { $0.reloadedSections = [2] })),
    TableRuleCase(
      .sectionMovedToItself, "section moved to itself", before: "1 2 | 3",
      illegal: (
        "1 | 3 2",
        {
          $0.movedSections = [.init(from: 0, to: 0)]
          $0.movedRows = [move((0, 1), (1, 1))]
        }
      ),
      legal: ("1 | 3 2", { $0.movedRows = [move((0, 1), (1, 1))] })),
  ]
}
