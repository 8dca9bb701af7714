import MohoChanges

extension BatchCheck {
  /// E1, E2: deleted, reloaded, moved and reconfigured items exist before the
  /// update.
  func checkOldIndexPaths() throws(TableViolation) {
    let sections = [
      ("delete", operations.deletedSections),
      ("reload", operations.reloadedSections),
      ("move", operations.movedSections.map(\.from)),
    ]
    for (action, numbers) in sections {
      for section in numbers where !before.indices.contains(section) {
        throw TableViolation(
          .missingSection,
          """
          attempt to \(action) section \(section), \
          but there are only \(before.count) sections before the update
          """)
      }
    }

    let rows = [
      ("delete", operations.deletedRows),
      ("reload", operations.reloadedRows),
      ("move", operations.movedRows.map(\.from)),
      ("reconfigure", operations.reconfiguredRows.map(\.old)),
    ]
    for (action, paths) in rows {
      for path in paths where !before.hasRow(at: path) {
        throw TableViolation(
          .missingRow,
          """
          attempt to \(action) row \(path), \
          but there are only \(before.rowCount(at: path)) rows before the update
          """)
      }
    }
  }

  /// E3: inserted items and destinations of moves exist after the update.
  func checkNewIndexPaths() throws(TableViolation) {
    let sections = [
      ("insert section", operations.insertedSections),
      ("move a section to", operations.movedSections.map(\.to)),
    ]
    for (action, numbers) in sections {
      for section in numbers where !after.indices.contains(section) {
        throw TableViolation(
          .missingDestination,
          """
          attempt to \(action) \(section), \
          but there are only \(after.count) sections after the update
          """)
      }
    }

    let rows = [
      ("insert row", operations.insertedRows),
      ("move a row to", operations.movedRows.map(\.to)),
      ("reconfigure row", operations.reconfiguredRows.map(\.new)),
    ]
    for (action, paths) in rows {
      for path in paths where !after.hasRow(at: path) {
        throw TableViolation(
          .missingDestination,
          """
          attempt to \(action) \(path), \
          but there are only \(after.rowCount(at: path)) rows after the update
          """)
      }
    }
  }
}

extension [Int] {
  fileprivate func rowCount(at path: RowPath) -> Int {
    indices.contains(path.section) ? self[path.section] : 0
  }

  fileprivate func hasRow(at path: RowPath) -> Bool {
    path.row >= 0 && path.row < rowCount(at: path)
  }
}
