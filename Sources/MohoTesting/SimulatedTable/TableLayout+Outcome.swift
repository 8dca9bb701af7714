import MohoChanges

extension TableLayout {
  /// Compares the cells with the data source.
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
    if let path = (repaints + needlessCells()).min() {
      throw TableViolation(
        .unnecessaryRendering, "the cell at \(path) is drawn again and shows the same as before")
    }
  }

  // Rows with new cells, in new space, that show the same as cells that went.
  // A cell that went with its section, or comes with one, could not have been
  // kept.
  private func needlessCells() -> [RowPath] {
    let dying = Set(operations.deletedSections)
    let newborn = Set(operations.insertedSections)
    var kept: [Int64: Content] = [:]
    for (section, rows) in old.sections.enumerated() where !dying.contains(section) {
      for row in rows { kept[row.id] = row.content }
    }

    var paths: [RowPath] = []
    for (section, cells) in sections.enumerated() where !newborn.contains(section) {
      for (row, cell) in cells.enumerated()
      where cell.origin == nil && kept[cell.row.id] == cell.row.content {
        paths.append(RowPath(section: section, row: row))
      }
    }
    return paths
  }
}
