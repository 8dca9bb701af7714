public import MohoChanges

/// A sectioned list view without a screen that performs each edit immediately.
///
/// It checks `ChangeSet.sequentialEdits` as ``SimulatedTable`` checks batch
/// updates. Each edit must be valid for the result of the previous one. A moved
/// cell shows its old content until it is reconfigured. At the end, the cells
/// must match the rows of the data source.
///
/// ```swift
/// var list = SimulatedList(rows: before)
/// try list.perform(changes.sequentialEdits(from: old, to: new), after: after)
/// ```
///
/// All rows count as visible. After a violation, the list is in its state
/// before the first edit.
public struct SimulatedList<Content: Equatable & Sendable>: Sendable {
  /// A row of the data source.
  public typealias Row = SimulatedTable<Content>.Row
  /// The rows of a data source at one time.
  public typealias Rows = SimulatedTable<Content>.Rows

  /// The contents of the cells, in order.
  public private(set) var cells: Rows

  /// The number of times that the cell of each row was inserted or
  /// reconfigured. Rows whose cells were never drawn have no entry.
  public private(set) var renderCounts: [Int64: Int] = [:]

  /// Creates a list that shows rows.
  public init(rows: Rows) { cells = rows }

  /// Performs edits in order.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - after: The rows of the data source after the update. The data source
  ///     has them from the first edit on.
  ///   - mode: ``TableMode/strict`` rejects the deletion of a section with
  ///     rows, and the move of a row to its own index path.
  ///     ``TableMode/minimal`` rejects unnecessary drawing.
  /// - Throws: ``TableViolation`` for the first broken rule.
  /// - Complexity: O(*n* · *k*) for *n* rows and *k* edits.
  public mutating func perform(
    _ edits: [SequentialEdit], after: Rows, mode: TableMode = .strict
  ) throws(TableViolation) {
    var list = self
    for edit in edits { try list.perform(edit, after, mode) }
    try list.cells.check(against: after)
    self = list
  }

  private mutating func perform(
    _ edit: SequentialEdit, _ after: Rows, _ mode: TableMode
  ) throws(TableViolation) {
    switch edit {
    case .deleteRow(let path):
      _ = try removeRow(at: path, "delete")
    case .insertRow(let path, let new):
      try insert(try after.row(at: new), at: path, "insert")
      renderCounts[cells.sections[path.section][path.row].id, default: 0] += 1
    case .moveRow(let from, let to):
      if mode.contains(.strict), from == to {
        throw TableViolation(.redundantOperation, "row \(from) moves to its own index path")
      }
      try insert(try removeRow(at: from, "move"), at: to, "move")
    case .reconfigureRow(let path, _):
      try reconfigure(path, after, mode)
    case .insertSection(let section, _):
      guard section >= 0, section <= cells.sections.count else {
        throw missing(.missingDestination, "insert section \(section)")
      }
      cells.insertSection(at: section)
    case .deleteSection(let section):
      guard cells.sections.indices.contains(section) else {
        throw missing(.missingSection, "delete section \(section)")
      }
      if mode.contains(.strict), !cells.sections[section].isEmpty {
        throw TableViolation(.redundantOperation, "section \(section) is deleted with rows in it")
      }
      cells.removeSection(at: section)
    case .reconfigureSection(let section, _):
      guard cells.sections.indices.contains(section) else {
        throw missing(.missingSection, "reconfigure section \(section)")
      }
      if mode.contains(.minimal), cells.headers[section] == after.headers[section] {
        throw TableViolation(
          .unnecessaryRendering,
          "the header of section \(section) is drawn again and shows the same as before")
      }
      cells.headers[section] = after.headers[section]
    }
  }

  private mutating func removeRow(at path: RowPath, _ action: String) throws(TableViolation) -> Row
  {
    let row = try cells.row(at: path, "\(action) row \(path)")
    cells.sections[path.section].remove(at: path.row)
    return row
  }

  private mutating func insert(
    _ row: Row, at path: RowPath, _ action: String
  ) throws(TableViolation) {
    guard cells.sections.indices.contains(path.section), path.row >= 0,
      path.row <= cells.sections[path.section].count
    else { throw missing(.missingDestination, "\(action) a row to \(path)") }
    cells.sections[path.section].insert(row, at: path.row)
  }

  private mutating func reconfigure(
    _ path: RowPath, _ after: Rows, _ mode: TableMode
  ) throws(TableViolation) {
    let row = try cells.row(at: path, "reconfigure row \(path)")
    let fresh = try after.row(at: path)
    guard row.id == fresh.id else {
      throw TableViolation(
        .contents, "attempt to reconfigure the cell of row \(row.id) with row \(fresh.id)")
    }
    if mode.contains(.minimal), row == fresh {
      throw TableViolation(
        .unnecessaryRendering, "the cell at \(path) is drawn again and shows the same as before")
    }
    cells.sections[path.section][path.row] = fresh
    renderCounts[fresh.id, default: 0] += 1
  }

  private func missing(_ rule: TableRule, _ action: String) -> TableViolation {
    TableViolation(rule, "attempt to \(action), but there are only rows \(cells.counts) by then")
  }
}

extension SimulatedTable.Rows {
  fileprivate func row(
    at path: RowPath, _ action: String? = nil
  ) throws(TableViolation) -> SimulatedTable.Row {
    guard sections.indices.contains(path.section),
      sections[path.section].indices.contains(path.row)
    else {
      throw TableViolation(
        action == nil ? .missingDestination : .missingRow,
        "attempt to \(action ?? "show row \(path)"), but there are only rows \(counts) by then")
    }
    return sections[path.section][path.row]
  }

  fileprivate mutating func insertSection(at section: Int) {
    sections.insert([], at: section)
    headers = headers.mapSections { $0 < section ? $0 : $0 + 1 }
  }

  fileprivate mutating func removeSection(at section: Int) {
    sections.remove(at: section)
    headers = headers.mapSections { $0 == section ? nil : $0 < section ? $0 : $0 - 1 }
  }

  /// Compares the texts of headers with those of a data source. An inserted section
  /// shows the text of the data source.
  func checkHeaders(against rows: SimulatedTable.Rows) throws(TableViolation) {
    for (section, text) in headers.sorted(by: { $0.key < $1.key }) {
      guard let expected = rows.headers[section], expected != text else { continue }
      throw TableViolation(
        .stale, "the header of section \(section) shows \(text), the data source has \(expected)")
    }
  }

  /// Compares the cells with the rows of a data source.
  func check(against rows: SimulatedTable.Rows) throws(TableViolation) {
    try checkHeaders(against: rows)
    let shown = sections.map { $0.map(\.id) }
    let expected = rows.sections.map { $0.map(\.id) }
    guard shown == expected else {
      throw TableViolation(.contents, "cells show rows \(shown), the data source has \(expected)")
    }
    for (cell, row) in zip(sections.joined(), rows.sections.joined()) where cell != row {
      throw TableViolation(
        .stale,
        "the cell of row \(row.id) shows \(cell.content), the data source has \(row.content)")
    }
  }
}

extension [Int: String] {
  /// Returns the texts of headers at new sections. Omits those without a section.
  fileprivate func mapSections(_ section: (Int) -> Int?) -> [Int: String] {
    var texts: [Int: String] = [:]
    for (old, text) in self {
      if let new = section(old) { texts[new] = text }
    }
    return texts
  }
}
