import MohoChanges
import MohoTesting

/// A simulated view for each projection of change sets.
struct SimulatedViews<Content: Hashable & Sendable> {
  typealias Rows = SimulatedTable<Content>.Rows

  private var rows: Rows
  private var table: SimulatedTable<Content>
  private var stagedTable: SimulatedTable<Content>
  private var list: SimulatedList<Content>
  private var splicedList: SimulatedFlatList<Content>
  private var differenceList: SimulatedFlatList<Content>

  init(_ rows: Rows) {
    self.rows = rows
    table = SimulatedTable(rows: rows)
    stagedTable = SimulatedTable(rows: rows)
    list = SimulatedList(rows: rows)
    splicedList = SimulatedFlatList(rows: Array(rows.sections.joined()))
    differenceList = SimulatedFlatList(rows: Array(rows.sections.joined()))
  }

  /// Applies a change set to all views. Returns the first violation.
  mutating func apply(
    _ changes: ChangeSet, from old: OrderedIndex, to new: OrderedIndex, rows after: Rows,
    mode: TableMode = [.strict, .minimal]
  ) -> String? {
    let before = rows
    let flat = Array(after.sections.joined())
    rows = after
    do {
      try table.perform(changes.batchPlan, before: before, after: after, mode: mode)
      try stagedTable.perform(
        changes.stagedPlan(oldSectionCount: old.sectionCount), before: before, after: after,
        mode: mode)
      try list.perform(changes.sequentialEdits(from: old, to: new), after: after, mode: mode)
      try splicedList.perform(changes.splices(from: old, to: new), after: flat)
      guard let difference = changes.difference(from: old, to: new) else { return "no difference" }
      try differenceList.perform(difference, after: flat, mode: mode)
    } catch {
      return "\(error)"
    }
    self = SimulatedViews(after)
    return nil
  }
}
