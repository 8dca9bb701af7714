import MohoChanges

/// An error that the oracle finds.
struct Disagreement: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Checks whether a change set is the correct one between two lists.
///
/// The content of rows comes from SQL. The rules are those of "Reading change sets",
/// implemented a second time.
struct ChangeSetJudge {
  let old: ListState
  let new: ListState
  let keyNames: [String]
  /// The keys of a row in both lists whose values differ.
  let requiredKeys: (Int64) -> [String]
  /// The keys of a row that may be reported.
  let allowedKeys: (Int64) -> Set<String>
  /// Whether a row may have been touched in a way that lets it move.
  let mayMove: (Int64) -> Bool
  /// Whether the order changed, so that all rows are touched.
  var isReordered = false

  func check(_ changes: ChangeSet) throws {
    do {
      try checkRecords(changes)
      try checkSections(changes)
      try checkMoves(changes)
    } catch let disagreement as Disagreement {
      throw Disagreement(
        """
        \(disagreement)
        changes:
        \(changes)
        before: \(old.rowIDs) in \(old.sections.map { "\($0.key): \($0.count)" })
        after: \(new.rowIDs) in \(new.sections.map { "\($0.key): \($0.count)" })
        """)
    }
  }

  private func checkRecords(_ changes: ChangeSet) throws {
    var seen: Set<Int64> = []
    var lastOld: RowPath?
    var lastNew: RowPath?
    for change in changes.rows {
      let rowID = change.rowID
      guard seen.insert(rowID).inserted else { throw Disagreement("two records of row \(rowID)") }
      guard change.old == old.path(of: rowID), change.new == new.path(of: rowID) else {
        throw Disagreement("wrong paths of row \(rowID): \(change)")
      }
      switch (change.old, change.new) {
      case (nil, nil): throw Disagreement("row \(rowID) is in neither list")
      case (let path?, nil):
        guard lastNew == nil, lastOld.map({ $0 < path }) ?? true else {
          throw Disagreement("the deletion of row \(rowID) is out of order")
        }
        lastOld = path
      case (_, let path?):
        guard lastNew.map({ $0 < path }) ?? true else {
          throw Disagreement("the record of row \(rowID) is out of order")
        }
        lastNew = path
      }
      try checkContent(of: change)
    }
    for rowID in old.rowIDs where !new.contains(rowID) && !seen.contains(rowID) {
      throw Disagreement("missing deletion of row \(rowID)")
    }
    for rowID in new.rowIDs where !seen.contains(rowID) {
      if !old.contains(rowID) { throw Disagreement("missing insertion of row \(rowID)") }
      let keys = requiredKeys(rowID)
      if !keys.isEmpty { throw Disagreement("missing change of \(keys) of row \(rowID)") }
    }
  }

  private func checkContent(of change: RowChange) throws {
    let rowID = change.rowID
    let keys = change.changedKeys
    guard change.old != nil, change.new != nil else {
      guard keys.isEmpty, !change.isMove else {
        throw Disagreement("row \(rowID) is inserted or deleted and has changed keys: \(change)")
      }
      return
    }
    guard change.isMove || !keys.isEmpty else {
      throw Disagreement("row \(rowID) has a record and no change")
    }
    if case .changed(let keys) = change.content, keys.isEmpty {
      throw Disagreement("row \(rowID) changed no keys")
    }
    guard keys == keyNames.filter(Set(keys).contains) else {
      throw Disagreement("keys of row \(rowID) are out of order or unknown: \(keys)")
    }
    let missing = Set(requiredKeys(rowID)).subtracting(keys)
    if !missing.isEmpty { throw Disagreement("row \(rowID) also changed \(missing.sorted())") }
    let needless = Set(keys).subtracting(allowedKeys(rowID))
    if !needless.isEmpty {
      throw Disagreement("row \(rowID) did not change \(needless.sorted())")
    }
  }

  private func checkSections(_ changes: ChangeSet) throws {
    let oldKeys = old.sections.map(\.key)
    let newKeys = new.sections.map(\.key)
    var deleted: [Int] = []
    var inserted: [Int] = []
    for change in changes.sections {
      let keys = change.kind == .delete ? oldKeys : newKeys
      guard keys.indices.contains(change.index), keys[change.index] == change.key else {
        throw Disagreement("wrong section: \(change)")
      }
      if change.kind == .delete {
        guard inserted.isEmpty, deleted.last.map({ $0 < change.index }) ?? true else {
          throw Disagreement("section is out of order: \(change)")
        }
        deleted.append(change.index)
      } else {
        guard inserted.last.map({ $0 < change.index }) ?? true else {
          throw Disagreement("section is out of order: \(change)")
        }
        inserted.append(change.index)
      }
    }
    let survivors = oldKeys.indices.filter { !deleted.contains($0) }.map { oldKeys[$0] }
    guard survivors == newKeys.indices.filter({ !inserted.contains($0) }).map({ newKeys[$0] })
    else { throw Disagreement("the sections that stay are not the same in both lists") }
    if isReordered { return }
    let needless = deleted.filter { newKeys.contains(oldKeys[$0]) }
    if !needless.isEmpty { throw Disagreement("needless deletions of sections \(needless)") }
  }

  /// Requires that unmoved rows keep their section and order, that untouched rows do
  /// not move, and that the number of moves is minimal.
  private func checkMoves(_ changes: ChangeSet) throws {
    let moved = Set(changes.rows.filter { $0.kind == .move }.map(\.rowID))
    let common = new.rowIDs.filter(old.contains)
    let goneSections = Set(changes.sections.filter { $0.kind == .delete }.map(\.index))
    for rowID in moved where !isReordered && !mayMove(rowID) {
      throw Disagreement("row \(rowID) moves but was not touched")
    }
    var last: [SectionKey: (path: RowPath, rowID: Int64)] = [:]
    for rowID in common where !moved.contains(rowID) {
      guard let path = old.path(of: rowID), let newPath = new.path(of: rowID) else { continue }
      let key = old.sections[path.section].key
      guard key == new.sections[newPath.section].key, !goneSections.contains(path.section) else {
        throw Disagreement("row \(rowID) changes its section without a move")
      }
      if let before = last[key], before.path > path {
        throw Disagreement("rows \(before.rowID) and \(rowID) change their order without a move")
      }
      last[key] = (path, rowID)
    }
    // With another request in between, more rows may be untouched.
    if isReordered { return }
    let fewest = try common.count - mostThatStay(common, goneSections)
    if moved.count > fewest {
      throw Disagreement("\(moved.count) rows move, \(fewest) suffice")
    }
  }

  /// The maximum number of rows of both lists that can stay, including all rows whose
  /// ordering values are unchanged.
  private func mostThatStay(_ common: [Int64], _ goneSections: Set<Int>) throws -> Int {
    var bySection: [Int: [(old: Int, isFixed: Bool)]] = [:]
    for rowID in common {
      guard let path = old.path(of: rowID), let newPath = new.path(of: rowID),
        old.sections[path.section].key == new.sections[newPath.section].key,
        !goneSections.contains(path.section)
      else { continue }
      let isFixed = !isReordered && old.orderOfRow[rowID] == new.orderOfRow[rowID]
      bySection[path.section, default: []].append((path.row, isFixed))
    }
    var count = 0
    for rows in bySection.values {
      var lengths: [(old: Int, length: Int)] = []
      for (place, row) in rows.enumerated() {
        let contradicts = rows.enumerated().contains { other, fixed in
          fixed.isFixed && (other < place) != (fixed.old < row.old) && other != place
        }
        if contradicts && row.isFixed {
          throw Disagreement("the order of the oracle is inconsistent")
        }
        if contradicts { continue }
        let longest = lengths.filter { $0.old < row.old }.map(\.length).max() ?? 0
        lengths.append((row.old, longest + 1))
      }
      count += lengths.map(\.length).max() ?? 0
    }
    return count
  }
}
