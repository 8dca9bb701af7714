import MohoChanges

extension BatchCheck {
  /// E15, E16, E18: the counts before the update and the operations determine
  /// the counts after it.
  func checkCounts() throws(TableViolation) {
    let count =
      before.count - operations.deletedSections.count + operations.insertedSections.count
    guard after.count == count else {
      throw mismatch(
        .wrongSectionCount,
        """
        invalid number of sections: \(after.count) after the update, \
        expected \(before.count) before it, \
        minus \(operations.deletedSections.count) deleted, \
        plus \(operations.insertedSections.count) inserted
        """)
    }

    let tally = RowTally(operations)
    let origins = SectionOrigins(operations, before: before.count, after: after.count)
    for (section, origin) in origins.numbers.enumerated() {
      guard let origin, !operations.reloadedSections.contains(origin) else { continue }
      let expected =
        before[origin] - tally.leaving[origin, default: 0] + tally.entering[section, default: 0]
      guard after[section] == expected else {
        throw mismatch(
          .wrongRowCount,
          """
          invalid number of rows in section \(section): \(after[section]) after the update, \
          expected \(before[origin]) before it, \
          minus \(tally.leaving[origin, default: 0]) deleted or moved out, \
          plus \(tally.entering[section, default: 0]) inserted or moved in
          """)
      }
    }
  }

  // A data source that was not updated breaks the same rules. It has a rule of
  // its own.
  private func mismatch(_ rule: TableRule, _ message: String) -> TableViolation {
    guard before == after else { return TableViolation(rule, message) }
    return TableViolation(
      .dataSourceUpdatedLate,
      "data source still has the old counts when the update ends: \(message)")
  }
}

/// The number of rows that leave and enter each section.
private struct RowTally {
  /// The rows that leave, by section in old space.
  var leaving: [Int: Int] = [:]
  /// The rows that enter, by section in new space.
  var entering: [Int: Int] = [:]

  init(_ operations: TableOperations) {
    for path in operations.deletedRows { leaving[path.section, default: 0] += 1 }
    for path in operations.insertedRows { entering[path.section, default: 0] += 1 }
    for move in operations.movedRows {
      leaving[move.from.section, default: 0] += 1
      entering[move.to.section, default: 0] += 1
    }
  }
}
