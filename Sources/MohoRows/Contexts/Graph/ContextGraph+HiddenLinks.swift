// The deletion of a row does not edit the rows that refer to it. Their columns
// retain the link, which is hidden while the linked row is deleted. If the
// deletion is undone, the link is visible again.
//
// Every row with a link to a deleted row is in `touched`.
extension ContextGraph {
  /// Whether a link is hidden, because the delete rule of the deleted row clears
  /// the column.
  func isHidden(_ target: Int, _ column: CompiledRelationship) -> Bool {
    mayHaveDeletedRows && !records[target].isAlive && column.clearsDeletedTarget
  }

  /// Returns the rows that link columns refer to, without hidden links.
  func visibleTargets(_ targets: [Int?], of entity: CompiledEntity) -> [Int?] {
    guard mayHaveDeletedRows else { return targets }
    return zip(targets, entity.linkColumns).map { target, column in
      target.flatMap { isHidden($0, column) ? nil : $0 }
    }
  }

  /// Returns whether a row refers to a deleted row.
  func hasDeletedTarget(_ row: Int) -> Bool {
    guard mayHaveDeletedRows, let targets = records[row].current?.targets else { return false }
    return targets.contains { $0.map { !records[$0].isAlive } ?? false }
  }

  /// Returns whether the deletion of other rows changes the links of a row that
  /// the store has.
  func hasHiddenLinks(_ row: Int) -> Bool {
    guard mayHaveDeletedRows, records[row].isAlive, records[row].isStored else { return false }
    if hasDeletedTarget(row), let base = records[row].base, let current = records[row].current {
      let entity = entity(of: row)
      for (slot, column) in entity.linkColumns.enumerated() {
        guard let target = current.targets[slot], !records[target].isAlive else { continue }
        if base.targets[slot] != nil || !column.clearsDeletedTarget { return true }
      }
    }
    return records[row].members.values.contains { members in
      (members.stored ?? members.edits.removed).contains { !records[$0].isAlive }
    }
  }

  /// Returns the slots with links to deleted rows that the store may have
  /// cleared.
  func clearedSlots(of row: Int) -> [Int] {
    guard mayHaveDeletedRows, let base = records[row].base else { return [] }
    return entity(of: row).linkColumns.enumerated().compactMap { slot, column in
      base.targets[slot].flatMap { isHidden($0, column) ? slot : nil }
    }
  }

  /// Adds a row with links to deleted rows to the touched rows.
  mutating func touchIfLinksAreHidden(_ row: Int) {
    if hasDeletedTarget(row) { touched.insert(row) }
  }

  /// Updates the rows that refer to rows which the store no longer has.
  mutating func clearLinks(to gone: Set<Int>) {
    guard !gone.isEmpty else { return }
    mayHaveDeletedRows = true
    for row in records.indices {
      guard let targets = records[row].base?.targets else { continue }
      for (slot, column) in entity(of: row).linkColumns.enumerated() {
        guard let target = targets[slot], gone.contains(target), isHidden(target, column) else {
          continue
        }
        records[row].base?.targets[slot] = nil
        touched.insert(row)
      }
    }
  }
}
