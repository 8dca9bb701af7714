import MohoChanges
import MohoTesting

/// A list before and after, and what its owner knows about the change.
///
/// The content of a row is new where its changed keys have a name.
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

  /// What is wrong with the change set, `nil` if a table shows the new list
  /// after it and its records lead from the old list to the new one.
  func defect(mode: TableMode = [.strict, .minimal]) -> String? {
    let changes = changes
    let replayed = changes.replayed(on: old)
    guard replayed == new.rows else { return "replayed records give \(replayed)\n\(changes)" }
    guard changes == ChangeSet(from: old, to: new, changedKeys: changedKeys) else {
      return "comparing twice differs"
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
  /// Whether the untouched rows kept their sections and their order, in lists of
  /// one kind.
  var isConsistent: Bool {
    let (before, after) = (old.homes, new.homes)
    let stays = { (row: Int64) in
      changedKeys[row] == nil && before[row] != nil && after[row] != nil
    }
    return old.isSectioned == new.isSectioned
      && old.rowIDs.filter(stays) == new.rowIDs.filter(stays)
      && before.allSatisfy { !stays($0) || after[$0] == $1 }
  }

  /// The later list and the changes, made of the touched rows alone.
  func updated() throws -> (index: OrderedIndex, changes: ChangeSet) {
    let (before, after) = (old.homes, new.homes)
    var places: [RowPlace] = []
    var last: Int64?
    for rowID in new.rowIDs {
      if let key = after[rowID], before[rowID] == nil || changedKeys[rowID] != nil {
        places.append(
          RowPlace(rowID, behind: last, section: key, changedKeys: changedKeys[rowID] ?? []))
      }
      last = rowID
    }
    return try old.updated(removing: old.rowIDs.filter { after[$0] == nil }, placing: places)
  }
}

extension OrderedIndex {
  /// The section key of each row.
  fileprivate var homes: [Int64: SectionKey] {
    var homes: [Int64: SectionKey] = [:]
    for (key, rows) in zip(sectionKeys, rows) {
      for row in rows { homes[row] = key }
    }
    return homes
  }
}

extension ChangeSet {
  /// Performs the records on plain arrays: what leaves, in old space, then what
  /// comes, in new space.
  fileprivate func replayed(on index: OrderedIndex) -> [[Int64]] {
    var sections: [[Int64]] = index.rows
    let gone = rows.filter { $0.isMove || $0.kind == .delete }.compactMap(\.old)
    for path in gone.sorted(by: >) { sections[path.section].remove(at: path.row) }
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
