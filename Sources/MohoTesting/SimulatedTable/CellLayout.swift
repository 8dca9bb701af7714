import MohoChanges

/// The cells of a table during a batch update.
///
/// Cells that stay or move keep their contents. The cells of inserted and
/// reloaded rows and sections are drawn from the data source.
struct CellLayout<Content: Equatable & Sendable> {
  typealias Row = SimulatedTable<Content>.Row
  typealias Rows = SimulatedTable<Content>.Rows

  struct Cell {
    var row: Row
    /// The index path in old space, or nil for a new cell.
    let origin: RowPath?
  }

  let operations: TableOperations
  let old: Rows
  let new: Rows
  private(set) var sections: [[Cell]] = []
  /// The texts of the section headers.
  private(set) var headers: [Int: String] = [:]
  private(set) var renderCounts: [Int64: Int] = [:]
  /// The index in old space of each section, or nil for a new header.
  private let origins: [Int?]

  /// The rows, in new space, that were reconfigured with the content that their
  /// cells already showed.
  private(set) var repaints: [RowPath] = []
  /// The sections whose headers were reconfigured with the text that they already
  /// showed.
  private(set) var headerRepaints: [Int] = []

  /// Lays out the cells of a batch update that passed its checks.
  init(operations: TableOperations, from old: Rows, to new: Rows) {
    self.operations = operations
    self.old = old
    self.new = new
    let reloaded = Set(operations.reloadedSections)
    origins = SectionOrigins(
      operations, before: old.sections.count, after: new.sections.count
    ).numbers.map { origin in origin.flatMap { reloaded.contains($0) ? nil : $0 } }
    let changes = RowMoves(operations)
    for (section, origin) in origins.enumerated() {
      if let origin {
        sections.append(arrange(section, from: origin, changes))
        // A section that was inserted without rows has its text since then.
        headers[section] = old.headers[origin] ?? new.headers[section]
      } else {
        sections.append(new.sections[section].map { draw($0) })
        headers[section] = new.headers[section]
      }
    }
  }

  /// The rows that the cells show.
  var rows: Rows {
    var rows = Rows(sections: sections.map { $0.map(\.row) })
    rows.headers = headers
    return rows
  }

  private mutating func arrange(_ section: Int, from origin: Int, _ changes: RowMoves) -> [Cell] {
    var fixed = old.sections[origin].indices.lazy
      .map { RowPath(section: origin, row: $0) }
      .filter { !changes.removed.contains($0) }
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

  /// Updates the contents of reconfigured cells and headers.
  mutating func reconfigure() throws(TableViolation) {
    for section in operations.reconfiguredSections {
      guard sections.indices.contains(section.new), origins[section.new] == section.old else {
        throw TableViolation(
          .contents,
          "attempt to reconfigure the header of section \(section.old) at "
            + "\(section.new), where it is not")
      }
      if headers[section.new] == new.headers[section.new] { headerRepaints.append(section.new) }
      headers[section.new] = new.headers[section.new]
    }
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

/// The row operations of a batch update as sets of index paths.
private struct RowMoves {
  /// The deleted and moved rows, in old space.
  let removed: Set<RowPath>
  /// In old space.
  let reloaded: Set<RowPath>
  /// In new space.
  let inserted: Set<RowPath>
  /// Maps the destination of a move in new space to its source in old space.
  let sources: [RowPath: RowPath]

  init(_ operations: TableOperations) {
    removed = Set(operations.deletedRows).union(operations.movedRows.map(\.from))
    reloaded = Set(operations.reloadedRows)
    inserted = Set(operations.insertedRows)
    sources = Dictionary(operations.movedRows.map { ($0.to, $0.from) }) { first, _ in first }
  }
}
