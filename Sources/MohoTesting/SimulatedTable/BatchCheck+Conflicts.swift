import MohoChanges

extension BatchCheck {
  /// E4, E9: no operation is repeated.
  func checkRepetitions() throws(TableViolation) {
    let sections = [
      ("delete", operations.deletedSections),
      ("insert", operations.insertedSections),
      ("reload", operations.reloadedSections),
    ]
    for (action, numbers) in sections {
      if let section = numbers.firstRepeated() {
        throw TableViolation(.repeatedOperation, "attempt to \(action) section \(section) twice")
      }
    }

    let rows = [
      ("delete", operations.deletedRows),
      ("insert", operations.insertedRows),
      ("reload", operations.reloadedRows),
    ]
    for (action, paths) in rows {
      if let path = paths.firstRepeated() {
        throw TableViolation(.repeatedOperation, "attempt to \(action) row \(path) twice")
      }
    }

    if let path = operations.movedRows.map(\.from).firstRepeated() {
      throw TableViolation(.repeatedMove, "attempt to move row \(path) to two destinations")
    }
    if let path = operations.movedRows.map(\.to).firstRepeated() {
      throw TableViolation(.repeatedMove, "attempt to move two rows to \(path)")
    }
    if let section = operations.movedSections.map(\.from).firstRepeated() {
      throw TableViolation(.repeatedMove, "attempt to move section \(section) to two destinations")
    }
    if let section = operations.movedSections.map(\.to).firstRepeated() {
      throw TableViolation(.repeatedMove, "attempt to move two sections to \(section)")
    }
  }

  /// E5 to E8: each row has one operation.
  func checkRowConflicts() throws(TableViolation) {
    let origins = operations.movedRows.map(\.from)
    if let path = operations.deletedRows.firstShared(with: origins) {
      throw TableViolation(
        .deletedAndMovedRow,
        "attempt to perform a delete and a move from the same index path (\(path))")
    }
    if let path = operations.reloadedRows.firstShared(with: origins) {
      throw TableViolation(
        .reloadedAndMovedRow,
        "attempt to create two animations for cell: a reload and a move from \(path)")
    }
    if let path = operations.deletedRows.firstShared(with: operations.reloadedRows) {
      throw TableViolation(
        .deletedAndReloadedRow, "attempt to delete and reload the same index path (\(path))")
    }
    let targets = operations.movedRows.map(\.to)
    if let path = operations.insertedRows.firstShared(with: targets) {
      throw TableViolation(
        .insertedAndMovedRow,
        "attempt to perform an insert and a move to the same index path (\(path))")
    }
  }

  /// E10 to E12, E19: the operations of rows and sections do not conflict.
  func checkSectionConflicts() throws(TableViolation) {
    let deleted = Set(operations.deletedSections)
    if let move = operations.movedRows.first(where: { deleted.contains($0.from.section) }) {
      throw TableViolation(
        .moveFromDeletedSection, "cannot move a row from a deleted section (\(move.from.section))")
    }
    let inserted = Set(operations.insertedSections)
    if let move = operations.movedRows.first(where: { inserted.contains($0.to.section) }) {
      throw TableViolation(
        .moveIntoInsertedSection,
        "cannot move a row into a newly inserted section (\(move.to.section))")
    }

    let origins = operations.movedSections.map(\.from)
    if let section = operations.deletedSections.firstShared(with: origins) {
      throw TableViolation(
        .conflictingSectionOperations,
        "attempt to perform a delete and a move from the same section (\(section))")
    }
    if let section = operations.deletedSections.firstShared(with: operations.reloadedSections) {
      throw TableViolation(
        .conflictingSectionOperations, "attempt to delete and reload the same section (\(section))")
    }
    let targets = operations.movedSections.map(\.to)
    if let section = operations.insertedSections.firstShared(with: targets) {
      throw TableViolation(
        .conflictingSectionOperations,
        "attempt to perform an insert and a move to the same section (\(section))")
    }
    if let move = operations.movedSections.first(where: { $0.from == $0.to }) {
      throw TableViolation(.sectionMovedToItself, "attempt to move section \(move.from) to itself")
    }
  }
}

extension Array where Element: Hashable {
  fileprivate func firstRepeated() -> Element? {
    var seen: Set<Element> = []
    return first { !seen.insert($0).inserted }
  }

  fileprivate func firstShared(with others: [Element]) -> Element? {
    let others = Set(others)
    return first { others.contains($0) }
  }
}
