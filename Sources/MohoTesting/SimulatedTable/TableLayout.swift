import MohoChanges

/// The cells of a table while a batch update puts them in their new places.
///
/// A cell that stays or moves keeps what it shows. Cells of inserted rows, of
/// inserted sections and of what is reloaded are drawn from the data source.
struct TableLayout<Content: Equatable & Sendable> {
  typealias Row = SimulatedTable<Content>.Row
  typealias Rows = SimulatedTable<Content>.Rows

  struct Cell {
    var row: Row
    /// The cell's place in old space; `nil` if the cell is new.
    let origin: RowPath?
  }

  let operations: TableOperations
  let old: Rows
  let new: Rows
  private(set) var sections: [[Cell]] = []
  private(set) var renderCounts: [Int64: Int] = [:]

  /// The rows that were reconfigured although their cells showed the same
  /// already, in new space.
  private(set) var repaints: [RowPath] = []

  /// Lays out a batch that has passed its checks.
  init(operations: TableOperations, from old: Rows, to new: Rows) {
    self.operations = operations
    self.old = old
    self.new = new
    let origins = SectionOrigins(
      operations, before: old.sections.count, after: new.sections.count)
    let reloaded = Set(operations.reloadedSections)
    let changes = RowPlaces(operations)
    for (section, origin) in origins.numbers.enumerated() {
      if let origin, !reloaded.contains(origin) {
        sections.append(arrange(section, from: origin, changes))
      } else {
        sections.append(new.sections[section].map { draw($0) })
      }
    }
  }

  /// The rows that the cells show.
  var rows: Rows {
    Rows(sections: sections.map { $0.map(\.row) })
  }

  private mutating func arrange(_ section: Int, from origin: Int, _ changes: RowPlaces) -> [Cell] {
    var fixed = old.sections[origin].indices.lazy
      .map { RowPath(section: origin, row: $0) }
      .filter { !changes.gone.contains($0) }
      .makeIterator()

    var cells: [Cell] = []
    for (row, fresh) in new.sections[section].enumerated() {
      let path = RowPath(section: section, row: row)
      if changes.inserted.contains(path) {
        cells.append(draw(fresh))
      } else if let source = changes.sources[path] ?? fixed.next() {
        cells.append(
          changes.reloaded.contains(source)
            ? draw(fresh)
            : Cell(row: old.sections[source.section][source.row], origin: source))
      }
    }
    return cells
  }

  private mutating func draw(_ row: Row) -> Cell {
    renderCounts[row.id, default: 0] += 1
    return Cell(row: row, origin: nil)
  }

  /// Gives cells that stay the content of their rows.
  mutating func reconfigure() throws(TableViolation) {
    for row in operations.reconfiguredRows {
      let (section, number) = (row.new.section, row.new.row)
      guard sections[section].indices.contains(number),
        sections[section][number].origin == row.old
      else {
        throw TableViolation(
          .contents, "attempt to reconfigure row \(row.old) at \(row.new), where its cell is not")
      }
      let content = new.sections[section][number].content
      if sections[section][number].row.content == content { repaints.append(row.new) }
      sections[section][number].row.content = content
      renderCounts[sections[section][number].row.id, default: 0] += 1
    }
  }
}

/// The places of a batch's row operations, to look up by path.
private struct RowPlaces {
  /// In old space.
  let gone: Set<RowPath>
  /// In old space.
  let reloaded: Set<RowPath>
  /// In new space.
  let inserted: Set<RowPath>
  /// From places in new space to places in old space.
  let sources: [RowPath: RowPath]

  init(_ operations: TableOperations) {
    gone = Set(operations.deletedRows).union(operations.movedRows.map(\.from))
    reloaded = Set(operations.reloadedRows)
    inserted = Set(operations.insertedRows)
    sources = Dictionary(operations.movedRows.map { ($0.to, $0.from) }) { first, _ in first }
  }
}
