import MohoMapping

extension ContextGraph {
  /// Validates the changes of rows, using only values and links that the
  /// context has already read. Rows that only lose links because other rows are
  /// deleted have no changed values.
  func failures(of affected: [Int]) -> [ValidationFailure] {
    affected.flatMap { row in
      if !records[row].isAlive { return failuresOfDeleting(row) }
      if !isClean(row) { return failures(of: row) }
      return entity(of: row).relationships.flatMap { failures(by: $0, of: row) }
    }
  }

  private func failures(of row: Int) -> [ValidationFailure] {
    let (record, entity) = (records[row], entity(of: row))
    guard let current = record.current else {
      return entity.relationships.flatMap { self.failures(by: $0, of: row) }
    }
    var failures: [ValidationFailure] = []
    for (index, attribute) in entity.attributes.enumerated() {
      let value = current.attributes[index]
      failures += attribute.failures(of: value, in: record.identity)
      if index == entity.identityAttribute, let base = record.base,
        value != base.attributes[index]
      {
        failures.append(
          ValidationFailure(
            .changedIdentity, record.identity, [attribute.name], found: value.summary,
            expected: "\(base.attributes[index])"))
      }
    }
    return failures + entity.relationships.flatMap { self.failures(by: $0, of: row) }
  }

  private func failures(
    by relationship: CompiledRelationship, of row: Int
  ) -> [ValidationFailure] {
    let record = records[row]
    let partners = partners(of: row, relationship)
    let name = relationship.name
    if relationship.slot != nil && record.current == nil { return [] }
    if let dead = partners.first(where: { !records[$0].isAlive }), relationship.slot != nil {
      return [
        ValidationFailure(
          .danglingRelation, record.identity, [name],
          found: "the deleted row \(records[dead].identity)", expected: "an existing row")
      ]
    }
    let isKnown =
      relationship.slot != nil || records[row].members[relationship.index]?.isLoaded == true
    guard isKnown else { return [] }
    if !relationship.isToMany, !relationship.isOptional, partners.isEmpty,
      !isDeletedByCascade(row, relationship)
    {
      return [
        ValidationFailure(
          .missingRelation, record.identity, [name], found: "no row",
          expected: "one of `\(relationship.relationship.destination)`")
      ]
    }
    if let range = relationship.relationship.count, !range.contains(partners.count) {
      return [
        ValidationFailure(
          .invalidCount, record.identity, [name], found: "\(partners.count) rows",
          expected: "\(range.lowerBound) to \(range.upperBound)")
      ]
    }
    return []
  }

  /// Whether the store deletes a row together with the row that it refers to.
  private func isDeletedByCascade(_ row: Int, _ column: CompiledRelationship) -> Bool {
    guard let slot = column.slot, column.targetDeleteRule == .cascade,
      let target = records[row].current?.targets[slot]
    else { return false }
    return isHidden(target, column)
  }

  private func failuresOfDeleting(_ row: Int) -> [ValidationFailure] {
    entity(of: row).relationships.compactMap { relationship in
      guard relationship.deleteRule == .deny else { return nil }
      let alive = partners(of: row, relationship).filter { records[$0].isAlive }
      guard let first = alive.map({ records[$0].identity }).min() else { return nil }
      return ValidationFailure(
        .deniedDeletion, records[row].identity,
        [relationship.isImplied ? relationship.label : relationship.name],
        found: alive.count == 1 ? "\(first)" : "\(alive.count) rows, including \(first)",
        expected: "no row")
    }
  }

  /// The relationships with a count limit whose links must be read before the
  /// rows are saved.
  func relationshipsToCount() -> [(CompiledRelationship, rows: [Int])] {
    let limited = schema.entities.map { entity in
      entity.relationships.filter { $0.relationship.count != nil && $0.slot == nil }
    }
    guard limited.contains(where: { !$0.isEmpty }) else { return [] }
    let alive = affected.filter { records[$0].isAlive && records[$0].isStored }
    return Dictionary(grouping: alive, by: { records[$0].entity })
      .sorted { $0.key < $1.key }.flatMap { entity, rows in
        limited[entity].compactMap { relationship in
          let unknown = rows.filter { row in
            records[row].members[relationship.index].map { !$0.isLoaded } ?? false
          }
          return unknown.isEmpty ? nil : (relationship, unknown)
        }
      }
  }
}
