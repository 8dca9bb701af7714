import MohoChanges
import MohoTesting

/// Two states of a list, and the entries of touched rows.
///
/// The content of a row differs if its entry lists a changed key.
struct Transition: CustomStringConvertible {
  var old: OrderedIndex
  var new: OrderedIndex
  var changedKeys: [Int64: [String]] = [:]

  var changes: ChangeSet {
    ChangeSet(from: old, to: new, changedKeys: changedKeys)
  }

  var description: String {
    let touched = changedKeys.sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }
    return "\(old.notation)  →  \(new.notation)  touched \(touched.joined(separator: " "))"
  }

  /// A description of what is wrong with the change set. `nil` if its records
  /// lead from the old list to the new one, and a table that applies its batch
  /// plan shows the new list.
  func defect(mode: TableMode = [.strict, .minimal]) -> String? {
    let changes = changes
    let replayed = changes.replayed(on: old)
    guard replayed == new.rows else { return "replayed records give \(replayed)\n\(changes)" }
    guard changes == ChangeSet(from: old, to: new, changedKeys: changedKeys) else {
      return "two comparisons differ"
    }

    let before = SimulatedTable<Int>.Rows(old) { _ in 0 }
    let after = SimulatedTable<Int>.Rows(new) { changedKeys[$0, default: []].count }
    var table = SimulatedTable(rows: before)
    do {
      try table.perform(changes.batchPlan, before: before, after: after, mode: mode)
      return nil
    } catch {
      return "\(error)\n\(changes)"
    }
  }
}

extension Transition {
  /// Whether the untouched rows are in the same sections and order, and both
  /// lists are sectioned or both unsectioned.
  var isConsistent: Bool {
    let (before, after) = (old.sectionKeysByRowID, new.sectionKeysByRowID)
    let isUntouched = { (row: Int64) in
      changedKeys[row] == nil && before[row] != nil && after[row] != nil
    }
    return old.isSectioned == new.isSectioned
      && old.rowIDs.filter(isUntouched) == new.rowIDs.filter(isUntouched)
      && before.allSatisfy { !isUntouched($0) || after[$0] == $1 }
  }

  /// The new list and the change set, computed from the touched rows alone.
  func updated() throws -> (index: OrderedIndex, changes: ChangeSet) {
    let (before, after) = (old.sectionKeysByRowID, new.sectionKeysByRowID)
    var placements: [RowPlacement] = []
    var last: Int64?
    for rowID in new.rowIDs {
      if let key = after[rowID], before[rowID] == nil || changedKeys[rowID] != nil {
        placements.append(
          RowPlacement(rowID, after: last, section: key, changedKeys: changedKeys[rowID] ?? []))
      }
      last = rowID
    }
    return try old.updated(removing: old.rowIDs.filter { after[$0] == nil }, placing: placements)
  }
}

extension OrderedIndex {
  /// The section key of each row, by row ID.
  fileprivate var sectionKeysByRowID: [Int64: SectionKey] {
    var sectionKeysByRowID: [Int64: SectionKey] = [:]
    for (key, rows) in zip(sectionKeys, rows) {
      for row in rows { sectionKeysByRowID[row] = key }
    }
    return sectionKeysByRowID
  }
}

extension ChangeSet {
  /// Applies the records to plain arrays: first deletions and move sources in
  /// old space, then insertions and move targets in new space.
  fileprivate func replayed(on index: OrderedIndex) -> [[Int64]] {
    var sections: [[Int64]] = index.rows
    let removed = rows.filter { $0.isMove || $0.kind == .delete }.compactMap(\.old)
    for path in removed.sorted(by: >) { sections[path.section].remove(at: path.row) }
    for section in self.sections.reversed() where section.kind == .delete {
      guard sections[section.index].isEmpty else { return [] }
      sections.remove(at: section.index)
    }
    for section in self.sections where section.kind == .insert {
      sections.insert([], at: section.index)
    }
    for change in rows where change.isMove || change.kind == .insert {
      guard let path = change.new, sections.indices.contains(path.section),
        path.row <= sections[path.section].count
      else { return [] }
      sections[path.section].insert(change.rowID, at: path.row)
    }
    return sections
  }
}
