import MohoMapping

extension ContextGraph {
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
    if let base = record.base, let current = record.current, !base.isSame(as: current) {
      return true
    }
    return record.members.contains { index, members in
      let relationship = entity(of: row).relationships[index]
      return !relationship.isImplied && members.isChanged(isOrdered: relationship.isOrdered)
    }
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
  package var pending: [Int] {
    touched.lazy.filter { isPending($0) }
      .map { (row: $0, entity: records[$0].entity, key: records[$0].identity.key) }
      .sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }.map(\.row)
  }

  /// The indexes of the attributes whose values differ from the store.
  func changedAttributes(of row: Int) -> [Int] {
    guard let current = records[row].current?.attributes else { return [] }
    guard let base = records[row].base?.attributes else { return Array(current.indices) }
    return current.indices.filter { !current[$0].isSame(as: base[$0]) }
  }

  /// The slots of the link columns whose values differ from the store.
  func changedTargets(of row: Int) -> [Int] {
    guard let current = records[row].current?.targets else { return [] }
    guard let base = records[row].base?.targets else { return Array(current.indices) }
    return current.indices.filter { current[$0] != base[$0] }
  }

  /// The relationships outside the row's columns that have changed.
  func changedMembers(of row: Int) -> [CompiledRelationship] {
    entity(of: row).relationships.filter { relationship in
      records[row].members[relationship.index]?.isChanged(isOrdered: relationship.isOrdered)
        ?? false
    }
  }

  /// Returns the names of the changed keys, in declaration order. For a row
  /// that is not stored, returns the keys that differ from the defaults of the
  /// entity.
  func changedKeys(of row: Int) -> [String] {
    let entity = entity(of: row)
    guard touched.contains(row), let current = records[row].current else { return [] }
    let base = records[row].base ?? entity.defaults
    let attributes = current.attributes.indices
      .filter { !current.attributes[$0].isSame(as: base.attributes[$0]) }
      .map { entity.attributes[$0].name }
    let relationships = entity.relationships.filter { relationship in
      if let slot = relationship.slot { return current.targets[slot] != base.targets[slot] }
      return records[row].members[relationship.index]?
        .isChanged(isOrdered: relationship.isOrdered) ?? false
    }
    return attributes + relationships.filter { !$0.isImplied }.map(\.name)
  }
}
