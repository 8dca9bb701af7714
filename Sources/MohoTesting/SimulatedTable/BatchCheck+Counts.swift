import MohoChanges

extension BatchCheck {
  /// E15, E16, E18: the counts after the update follow from those before it.
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
        before[origin] - tally.gone[origin, default: 0] + tally.come[section, default: 0]
      guard after[section] == expected else {
        throw mismatch(
          .wrongRowCount,
          """
          invalid number of rows in section \(section): \(after[section]) after the update, \
          expected \(before[origin]) before it, \
          minus \(tally.gone[origin, default: 0]) deleted or moved out, \
          plus \(tally.come[section, default: 0]) inserted or moved in
          """)
      }
    }
  }

  // A data source that was not brought up to date fails the same arithmetic;
  // it deserves to be named.
  private func mismatch(_ rule: TableRule, _ message: String) -> TableViolation {
    guard before == after else { return TableViolation(rule, message) }
    return TableViolation(
      .dataSourceUpdatedLate,
      "data source still has the old counts when the update ends: \(message)")
  }
}

/// How many rows leave and enter each section.
private struct RowTally {
  /// By section in old space.
  var gone: [Int: Int] = [:]
  /// By section in new space.
  var come: [Int: Int] = [:]

  init(_ operations: TableOperations) {
    for path in operations.deletedRows { gone[path.section, default: 0] += 1 }
    for path in operations.insertedRows { come[path.section, default: 0] += 1 }
    for move in operations.movedRows {
      gone[move.from.section, default: 0] += 1
      come[move.to.section, default: 0] += 1
    }
  }
}
