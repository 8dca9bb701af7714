import MohoMapping

extension ContextGraph {
  /// The identity of a row after it is saved, if it is known.
  func identityKey(of row: Int) -> RowIdentity.Key {
    let record = records[row]
    if record.isStored { return record.identity.key }
    guard let index = entity(of: row).identityAttribute,
      case .int64(let key)? = record.current?.attributes[index]
    else { return record.identity.key }
    return .stored(key)
  }

  func state(of row: Int) -> RowState {
    let record = records[row]
    return switch (record.isStored, record.isAlive) {
    case (false, true): .inserted
    case (true, false): .deleted
    case (false, false): .detached
    case (true, true): touched.contains(row) && isChanged(row) ? .updated : .unchanged
    }
  }

  private func isChanged(_ row: Int) -> Bool {
    let record = records[row]
    if let base = record.base, let current = record.current {
      if current.attributes != base.attributes { return true }
      if current.targets != base.targets, !changedTargets(of: row).isEmpty { return true }
    }
    return record.members.keys.contains { index in
      hasChangedMembers(row, entity(of: row).relationships[index])
    }
  }

  /// Whether links of a relationship outside the row's columns have been edited.
  func hasChangedMembers(_ row: Int, _ relationship: CompiledRelationship) -> Bool {
    guard let members = records[row].members[relationship.index], !relationship.isImplied else {
      return false
    }
    return members.isChanged(isOrdered: relationship.isOrdered) { records[$0].isAlive }
  }

  /// Whether saving would not write a row.
  func isClean(_ row: Int) -> Bool { state(of: row) == .unchanged }

  /// Whether saving would write any row.
  package var hasPending: Bool { touched.contains { isPending($0) } }

  private func isPending(_ row: Int) -> Bool {
    switch state(of: row) {
    case .inserted, .updated, .deleted: true
    case .unchanged, .detached: false
    }
  }

  /// The rows that saving would write, by entity and identity.
  package var pending: [Int] { pending { _ in true } }

  /// The rows that saving would write and that satisfy a condition, by entity and identity.
  func pending(where condition: (Int) -> Bool) -> [Int] {
    inOrder(touched.filter { condition($0) && isPending($0) })
  }

  /// Whether a row may differ from the store.
  package var hasAffected: Bool { touched.contains { isPending($0) || hasHiddenLinks($0) } }

  /// The rows that saving would write, and the rows that lose links because other
  /// rows are deleted, by entity and identity.
  package var affected: [Int] {
    inOrder(touched.filter { isPending($0) || hasHiddenLinks($0) })
  }

  private func inOrder(_ rows: Set<Int>) -> [Int] {
    rows.map { (row: $0, entity: records[$0].entity, key: records[$0].identity.key) }
      .sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }.map(\.row)
  }

  /// The indexes of the attributes whose values differ from the store.
  func changedAttributes(of row: Int) -> [Int] {
    guard let current = records[row].current?.attributes else { return [] }
    guard let base = records[row].base?.attributes else { return Array(current.indices) }
    return current.indices.filter { current[$0] != base[$0] }
  }

  /// The slots of the link columns whose values differ from the store. A link
  /// that is hidden because the linked row is deleted is not a change.
  func changedTargets(of row: Int) -> [Int] {
    guard let current = records[row].current?.targets else { return [] }
    guard let base = records[row].base?.targets else { return Array(current.indices) }
    let columns = entity(of: row).linkColumns
    return current.indices.filter { slot in
      guard current[slot] != base[slot] else { return false }
      guard let target = current[slot], isHidden(target, columns[slot]) else { return true }
      return base[slot] != nil
    }
  }

  /// The relationships outside the row's columns that have changed.
  func changedMembers(of row: Int) -> [CompiledRelationship] {
    entity(of: row).relationships.filter { hasChangedMembers(row, $0) }
  }

  /// Returns the names of the changed keys, in declaration order. For a row
  /// that is not stored, returns the keys that differ from the defaults of the
  /// entity.
  func changedKeys(of row: Int) -> [String] {
    let entity = entity(of: row)
    guard touched.contains(row), let current = records[row].current else { return [] }
    let base = records[row].base ?? entity.defaults
    let targets = Set(
      records[row].base != nil
        ? changedTargets(of: row)
        : current.targets.indices.filter { current.targets[$0] != nil })
    let attributes = current.attributes.indices
      .filter { current.attributes[$0] != base.attributes[$0] }
      .map { entity.attributes[$0].name }
    let relationships = entity.relationships.filter { relationship in
      if let slot = relationship.slot { return targets.contains(slot) }
      return hasChangedMembers(row, relationship)
    }
    return attributes + relationships.map(\.name)
  }
}
