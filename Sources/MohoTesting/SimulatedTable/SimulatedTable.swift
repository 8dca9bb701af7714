public import MohoChanges

/// A table view without a screen that checks batch updates.
///
/// The table has one cell a row, each with the content it was last drawn with.
/// A batch update is checked against the rules that table and collection views
/// enforce, then laid out as they do it: a moved cell keeps what it shows until
/// it is reconfigured. At the end each cell must be in its place and show what
/// the data source has. Use it to test a data source on any platform:
///
/// ```swift
/// var table = SimulatedTable(rows: before)
/// try table.perform(changes.batchPlan, before: before, after: after)
/// #expect(table.renderCounts == [17: 1])  // nothing but the changed row was drawn
/// ```
///
/// All rows count as visible, so a cell that any table could show stale is
/// found. After a violation the table is as it was before the batch.
///
/// The rules come from the documentation of `UITableView` and
/// `UICollectionView`, their exceptions and their public bug reports.
public struct SimulatedTable<Content: Equatable & Sendable>: Sendable {
  /// What the cells show, in their places.
  public internal(set) var cells: Rows

  /// How often batch updates have drawn the cell of each row: inserted, reloaded
  /// or reconfigured it. Rows whose cells were never drawn have no entry.
  public internal(set) var renderCounts: [Int64: Int] = [:]

  /// How many cells batch updates have drawn.
  public var renderCount: Int { renderCounts.values.reduce(0, +) }

  /// Whether a batch is open.
  public private(set) var isUpdating = false

  /// Makes a table that shows these rows.
  public init(rows: Rows) {
    cells = rows
  }

  /// Performs the batch update of a plan.
  ///
  /// - Parameters:
  ///   - plan: What the view is asked for.
  ///   - before: What the data source answers when the batch opens.
  ///   - after: What the data source answers when the batch ends.
  ///   - mode: What is demanded of the batch.
  /// - Throws: ``TableViolation`` for the first rule broken.
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
  ///   - operations: What the view is asked for.
  ///   - before: What the data source answers when the batch opens.
  ///   - after: What the data source answers when the batch ends.
  ///   - mode: What is demanded of the batch.
  /// - Throws: ``TableViolation`` for the first rule broken.
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

  /// Opens a batch, for a data source that answers in old space.
  ///
  /// - Throws: ``TableViolation`` if a batch is open or the data source no
  ///   longer has the counts of the table.
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

  /// Ends a batch, for a data source that answers in new space.
  ///
  /// The batch is over even if it is refused.
  ///
  /// - Throws: ``TableViolation`` for the first rule broken.
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
    var layout = TableLayout(operations: operations, from: cells, to: dataSource)
    try layout.reconfigure()
    try layout.check(mode: mode)
    cells = layout.rows
    renderCounts.merge(layout.renderCounts, uniquingKeysWith: +)
  }
}
