public import MohoChanges

/// A table view without a screen that checks batch updates.
///
/// The table has one cell per row, with the content that the cell was last
/// drawn with. It checks a batch update against the rules that table and
/// collection views enforce, and then lays out the cells as they do: a moved
/// cell shows its old content until it is reconfigured. At the end, the cells
/// must match the rows of the data source. Use it to test a data source on any
/// platform:
///
/// ```swift
/// var table = SimulatedTable(rows: before)
/// try table.perform(changes.batchPlan, before: before, after: after)
/// #expect(table.renderCounts == [17: 1])  // nothing but the changed row was drawn
/// ```
///
/// All rows count as visible, so every stale cell is found. After a violation,
/// the table is in its state before the batch.
///
/// The rules come from the documentation of `UITableView` and
/// `UICollectionView`, their exceptions and their public bug reports.
public struct SimulatedTable<Content: Equatable & Sendable>: Sendable {
  /// The contents of the cells, in order.
  public internal(set) var cells: Rows

  /// The number of times that batch updates inserted, reloaded or reconfigured
  /// the cell of each row. Rows whose cells were never drawn have no entry.
  public internal(set) var renderCounts: [Int64: Int] = [:]

  /// The number of cells that batch updates have drawn.
  public var renderCount: Int { renderCounts.values.reduce(0, +) }

  /// Whether a batch update is open.
  public private(set) var isUpdating = false

  /// Creates a table that shows rows.
  public init(rows: Rows) {
    cells = rows
  }

  /// Performs the batch update of a plan.
  ///
  /// - Parameters:
  ///   - plan: The operations.
  ///   - before: The rows of the data source before the update.
  ///   - after: The rows of the data source after the update.
  ///   - mode: The strictness of the checks.
  /// - Throws: ``TableViolation`` for the first broken rule.
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows and *k* operations.
  public mutating func perform(
    _ plan: BatchPlan,
    before: Rows,
    after: Rows,
    mode: TableMode = .strict
  ) throws(TableViolation) {
    try perform(TableOperations(plan), before: before, after: after, mode: mode)
  }

  /// Performs a batch update.
  ///
  /// - Parameters:
  ///   - operations: The operations.
  ///   - before: The rows of the data source before the update.
  ///   - after: The rows of the data source after the update.
  ///   - mode: The strictness of the checks.
  /// - Throws: ``TableViolation`` for the first broken rule.
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows and *k* operations.
  public mutating func perform(
    _ operations: TableOperations,
    before: Rows,
    after: Rows,
    mode: TableMode = .strict
  ) throws(TableViolation) {
    try beginUpdates(dataSource: before)
    try endUpdates(operations, dataSource: after, mode: mode)
  }

  /// Begins a batch update. The data source has the old rows.
  ///
  /// - Throws: ``TableViolation`` if a batch update is already open, or if the
  ///   row counts of the data source differ from those of the table.
  public mutating func beginUpdates(dataSource: Rows) throws(TableViolation) {
    guard !isUpdating else {
      throw TableViolation(.nestedBatch, "attempt to begin an update while another one is open")
    }
    let shown = cells.counts
    guard dataSource.counts == shown else {
      throw TableViolation(
        .dataSourceUpdatedEarly,
        "data source has rows \(dataSource.counts) when the update begins, the table \(shown)")
    }
    isUpdating = true
  }

  /// Ends a batch update. The data source has the new rows.
  ///
  /// The batch update ends even if it breaks a rule.
  ///
  /// - Throws: ``TableViolation`` for the first broken rule.
  public mutating func endUpdates(
    _ operations: TableOperations,
    dataSource: Rows,
    mode: TableMode = .strict
  ) throws(TableViolation) {
    guard isUpdating else {
      throw TableViolation(.nestedBatch, "attempt to end an update while none is open")
    }
    isUpdating = false

    let batch = BatchCheck(
      operations: operations, before: cells.counts, after: dataSource.counts, mode: mode)
    try batch.run()
    var layout = CellLayout(operations: operations, from: cells, to: dataSource)
    try layout.reconfigure()
    try layout.check(mode: mode)
    cells = layout.rows
    renderCounts.merge(layout.renderCounts, uniquingKeysWith: +)
  }
}
