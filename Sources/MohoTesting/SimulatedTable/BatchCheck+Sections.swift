import MohoChanges

extension BatchCheck {
  /// E13: the rows of moved sections do not change.
  func checkRowsOfMovingSections() throws(TableViolation) {
    let origins = Set(operations.movedSections.map(\.from))
    if let path = oldRowPaths.first(where: { origins.contains($0.section) }) {
      throw TableViolation(
        .changeInMovedSection,
        "attempt to change row \(path) of section \(path.section), which moves")
    }
    let targets = Set(operations.movedSections.map(\.to))
    if let path = newRowPaths.first(where: { targets.contains($0.section) }) {
      throw TableViolation(
        .changeInMovedSection,
        "attempt to place a row at \(path) in section \(path.section), which moves")
    }
  }

  /// E14: an update with moves has no reloads.
  func checkReloads() throws(TableViolation) {
    let reloads = operations.reloadedSections.count + operations.reloadedRows.count
    let moves = operations.movedSections.count + operations.movedRows.count
    guard reloads == 0 || moves == 0 else {
      throw TableViolation(
        .reloadWithMove,
        "attempt to reload in an update with moves: \(reloads) reloads, \(moves) moves")
    }
  }

  /// The operations of a section do not repeat those of its rows.
  func checkRedundancy() throws(TableViolation) {
    guard mode.contains(.strict) else { return }
    let removed = Set(operations.deletedSections + operations.reloadedSections)
    if let path = oldRowPaths.first(where: { removed.contains($0.section) }) {
      throw TableViolation(
        .redundantOperation, "row \(path) is removed with its section \(path.section)")
    }
    let inserted = Set(operations.insertedSections)
    if let path = newRowPaths.first(where: { inserted.contains($0.section) }) {
      throw TableViolation(
        .redundantOperation, "row \(path) is inserted with its section \(path.section)")
    }
  }

  // In old space.
  private var oldRowPaths: [RowPath] {
    operations.deletedRows + operations.reloadedRows + operations.movedRows.map(\.from)
  }

  // In new space.
  private var newRowPaths: [RowPath] {
    operations.insertedRows + operations.movedRows.map(\.to)
  }
}
