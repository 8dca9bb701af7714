import MohoChanges
import MohoTesting
import Testing

/// One simulated view for each projection. Each view shows every change.
struct SimulatedViews {
  typealias Rows = SimulatedTable<Int>.Rows

  private var table: SimulatedTable<Int>
  private var stagedTable: SimulatedTable<Int>
  private var list: SimulatedList<Int>
  private var splicedList: SimulatedFlatList<Int>
  private var differenceList: SimulatedFlatList<Int>
  private(set) var rows: Rows

  init(_ rows: Rows) {
    self.rows = rows
    table = SimulatedTable(rows: rows)
    stagedTable = SimulatedTable(rows: rows)
    list = SimulatedList(rows: rows)
    splicedList = SimulatedFlatList(rows: rows.flat)
    differenceList = SimulatedFlatList(rows: rows.flat)
  }

  /// Shows a change in all views, and returns a description of the first
  /// failure: a rejected operation, a stale cell, a cell that is drawn too
  /// often, or a wrong number of moves.
  mutating func show(
    _ changes: ChangeSet, from old: OrderedIndex, to new: OrderedIndex, rows after: Rows
  ) -> String? {
    let before = rows
    rows = after
    self = SimulatedViews(rows: after, resetting: self)
    let mode: TableMode = [.strict, .minimal]
    do {
      try table.perform(changes.batchPlan, before: before, after: after, mode: mode)
      let staged = changes.stagedPlan(oldSectionCount: old.sectionCount)
      try stagedTable.perform(staged, before: before, after: after, mode: mode)
      let edits = changes.sequentialEdits(from: old, to: new)
      try list.perform(edits, after: after, mode: mode)
      try splicedList.perform(changes.splices(from: old, to: new), after: after.flat)
      guard let difference = changes.difference(from: old, to: new) else { return "no difference" }
      try differenceList.perform(difference, after: after.flat, mode: mode)
      return wrongCount(changes, staged, edits)
    } catch {
      return "\(error)"
    }
  }

  private init(rows: Rows, resetting other: SimulatedViews) {
    self = other
    table = SimulatedTable(rows: other.table.cells)
    stagedTable = SimulatedTable(rows: other.stagedTable.cells)
    list = SimulatedList(rows: other.list.cells)
    splicedList = SimulatedFlatList(rows: other.splicedList.cells)
    differenceList = SimulatedFlatList(rows: other.differenceList.cells)
  }

  private func wrongCount(
    _ changes: ChangeSet, _ staged: StagedPlan, _ edits: [SequentialEdit]
  ) -> String? {
    var once: [Int64: Int] = [:]
    var present: [Int64: Int] = [:]
    for change in changes.rows where change.new != nil {
      present[change.rowID] = 1
      if change.old == nil || change.content != .unchanged { once[change.rowID] = 1 }
    }
    let counts = [
      ("staged", stagedTable.renderCounts, once), ("sequential", list.renderCounts, once),
      ("difference", differenceList.renderCounts, once),
      ("splices", splicedList.renderCounts, present),
    ]
    for (name, counted, expected) in counts where counted != expected {
      return "\(name): cells are drawn \(counted), expected \(expected)"
    }
    let moves = changes.rows.count(where: \.isMove)
    let stagedMoves = staged.stages.reduce(0) { $0 + $1.plan.movedRows.count }
    guard stagedMoves == moves else { return "staged has \(stagedMoves) moves, expected \(moves)" }
    let steps = edits.count { if case .moveRow = $0 { true } else { false } }
    return steps == moves ? nil : "sequential has \(steps) moves, expected \(moves)"
  }
}

extension SimulatedTable.Rows {
  /// The rows of all sections.
  var flat: [SimulatedTable.Row] { Array(sections.joined()) }
}
