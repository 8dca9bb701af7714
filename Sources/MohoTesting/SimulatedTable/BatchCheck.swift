import MohoChanges

/// Checks the operations of a batch against each other and against the row
/// counts before and after the update.
struct BatchCheck {
  let operations: TableOperations
  /// The number of rows in each section, in old space.
  let before: [Int]
  /// The number of rows in each section, in new space.
  let after: [Int]
  let mode: TableMode

  // Later checks rely on earlier ones. If an operation breaks several rules,
  // the most specific rule is reported.
  func run() throws(TableViolation) {
    try checkOldIndexPaths()
    try checkNewIndexPaths()
    try checkRepetitions()
    try checkRowConflicts()
    try checkSectionConflicts()
    try checkRowsOfMovingSections()
    try checkReloads()
    try checkRedundancy()
    try checkCounts()
  }
}
