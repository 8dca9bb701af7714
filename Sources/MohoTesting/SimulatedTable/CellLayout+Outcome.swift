import MohoChanges

extension CellLayout {
  /// Compares the cells with the rows of the data source.
  func check(mode: TableMode) throws(TableViolation) {
    try checkContents()
    try checkFreshness()
    if mode.contains(.minimal) {
      try checkRendering()
    }
  }

  private func checkContents() throws(TableViolation) {
    for (section, cells) in sections.enumerated() {
      let shown = cells.map(\.row.id)
      let expected = new.sections[section].map(\.id)
      guard shown == expected else {
        throw TableViolation(
          .contents, "section \(section) shows rows \(shown), the data source has \(expected)")
      }
    }
  }

  private func checkFreshness() throws(TableViolation) {
    try rows.checkHeaders(against: new)
    for (section, cells) in sections.enumerated() {
      for (row, (cell, fresh)) in zip(cells, new.sections[section]).enumerated()
      where cell.row != fresh {
        throw TableViolation(
          .stale,
          """
          the cell of row \(fresh.id) at \(RowPath(section: section, row: row)) \
          shows \(cell.row.content), the data source has \(fresh.content)
          """)
      }
    }
  }

  private func checkRendering() throws(TableViolation) {
    if let section = headerRepaints.min() {
      throw TableViolation(
        .unnecessaryRendering,
        "the header of section \(section) is drawn again and shows the same as before")
    }
    if let path = (repaints + needlessCells()).min() {
      throw TableViolation(
        .unnecessaryRendering, "the cell at \(path) is drawn again and shows the same as before")
    }
  }

  // The rows, in new space, with new cells that show the same content as a
  // removed cell. Cells of deleted and inserted sections cannot be reused.
  private func needlessCells() -> [RowPath] {
    let deleted = Set(operations.deletedSections)
    let inserted = Set(operations.insertedSections)
    var contents: [Int64: Content] = [:]
    for (section, rows) in old.sections.enumerated() where !deleted.contains(section) {
      for row in rows { contents[row.id] = row.content }
    }

    var paths: [RowPath] = []
    for (section, cells) in sections.enumerated() where !inserted.contains(section) {
      for (row, cell) in cells.enumerated()
      where cell.origin == nil && contents[cell.row.id] == cell.row.content {
        paths.append(RowPath(section: section, row: row))
      }
    }
    return paths
  }
}
