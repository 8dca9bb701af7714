import MohoChanges

/// Checks the operations of a batch against each other and against the counts
/// before and after, without any cell.
struct BatchCheck {
  let operations: TableOperations
  /// The number of rows in each section, in old space.
  let before: [Int]
  /// The number of rows in each section, in new space.
  let after: [Int]
  let mode: TableMode

  // Later checks rely on earlier ones; what several of them would refuse is
  // reported under the most particular rule.
  func run() throws(TableViolation) {
    try checkOldPlaces()
    try checkNewPlaces()
    try checkRepetitions()
    try checkRowConflicts()
    try checkSectionConflicts()
    try checkRowsOfMovingSections()
    try checkReloads()
    try checkRedundancy()
    try checkCounts()
  }
}
