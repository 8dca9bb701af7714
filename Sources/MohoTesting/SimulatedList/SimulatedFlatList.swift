public import MohoChanges

/// A list view without sections and without a screen. It performs splices or a
/// `CollectionDifference`.
///
/// ```swift
/// var list = SimulatedFlatList(rows: before)
/// try list.perform(changes.splices(from: old, to: new), after: after)
/// ```
///
/// All rows count as visible. After a violation, the list is in its previous
/// state.
public struct SimulatedFlatList<Content: Equatable & Sendable>: Sendable {
  /// A row of the data source.
  public typealias Row = SimulatedTable<Content>.Row

  /// The contents of the cells, in order.
  public private(set) var cells: [Row]

  /// The number of times that the cell of each row was drawn. Rows whose cells
  /// were never drawn have no entry.
  public private(set) var renderCounts: [Int64: Int] = [:]

  /// Creates a list that shows rows.
  public init(rows: [Row]) { cells = rows }

  /// Performs splices in order. Each splice applies to the result of the
  /// previous one.
  ///
  /// - Throws: ``TableViolation``: `missingRow` or `missingDestination` if rows
  ///   do not exist, `repeatedOperation` if splices overlap or do not ascend,
  ///   and `contents` or `stale` if the cells do not match the rows of the data
  ///   source at the end.
  /// - Complexity: O(*n* · *k*) for *n* rows and *k* splices.
  public mutating func perform(
    _ splices: [ListSplice], after: [Row]
  ) throws(TableViolation) {
    var list = self
    var end = 0
    for splice in splices {
      let start = splice.new.lowerBound
      guard start >= end else {
        throw TableViolation(
          .repeatedOperation, "splice \(splice) begins before the previous one ends")
      }
      guard start + splice.old.count <= list.cells.count else {
        throw TableViolation(
          .missingRow,
          "attempt to remove rows of \(splice), but there are only \(list.cells.count) by then"
        )
      }
      guard splice.new.upperBound <= after.count else {
        throw TableViolation(
          .missingDestination,
          "attempt to show rows of \(splice), but there are only \(after.count)")
      }
      for row in after[splice.new] { list.renderCounts[row.id, default: 0] += 1 }
      list.cells.replaceSubrange(start..<start + splice.old.count, with: after[splice.new])
      end = splice.new.upperBound
    }
    try list.check(against: after)
    self = list
  }

  /// Performs a difference. The cell of a moved row moves with it.
  ///
  /// - Parameters:
  ///   - plan: The difference.
  ///   - after: The rows of the data source after the update.
  ///   - mode: ``TableMode/minimal`` rejects unnecessary drawing.
  /// - Throws: ``TableViolation``: `missingRow` or `missingDestination` if rows
  ///   do not exist, `unnecessaryRendering` if `mode` is minimal and a cell is
  ///   drawn with its current content, and `contents` or `stale` if the cells
  ///   do not match the rows of the data source at the end.
  /// - Complexity: O(*n* · *k*) for *n* rows and *k* changes.
  public mutating func perform(
    _ plan: ListDifference, after: [Row], mode: TableMode = .strict
  ) throws(TableViolation) {
    var list = self
    var moving: [Int: Row] = [:]
    for case .remove(let offset, let element, _) in plan.difference.removals.reversed() {
      guard list.cells.indices.contains(offset), list.cells[offset].id == element else {
        throw TableViolation(
          .missingRow, "attempt to remove row \(element) at \(offset), where it is not")
      }
      moving[offset] = list.cells.remove(at: offset)
    }
    for case .insert(let offset, let element, let origin) in plan.difference.insertions {
      guard offset <= list.cells.count, after.indices.contains(offset) else {
        throw TableViolation(
          .missingDestination,
          "attempt to insert row \(element) at \(offset) of \(list.cells.count)")
      }
      if let cell = origin.flatMap({ moving[$0] }) {
        list.cells.insert(cell, at: offset)
      } else {
        list.cells.insert(after[offset], at: offset)
        list.renderCounts[element, default: 0] += 1
      }
    }
    for row in plan.reconfiguredRows {
      guard list.cells.indices.contains(row.new), after.indices.contains(row.new),
        cells.indices.contains(row.old), cells[row.old].id == list.cells[row.new].id
      else {
        throw TableViolation(
          .missingRow, "attempt to reconfigure row \(row.old) at \(row.new), where its cell is not")
      }
      if mode.contains(.minimal), list.cells[row.new] == after[row.new] {
        throw TableViolation(
          .unnecessaryRendering,
          "the cell at \(row.new) is drawn again and shows the same as before")
      }
      list.cells[row.new].content = after[row.new].content
      list.renderCounts[after[row.new].id, default: 0] += 1
    }
    try list.check(against: after)
    self = list
  }

  private func check(against rows: [Row]) throws(TableViolation) {
    try SimulatedTable.Rows(sections: [cells]).check(
      against: SimulatedTable.Rows(sections: [rows]))
  }
}
