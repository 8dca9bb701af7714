import MohoMapping

extension ContextGraph {
  /// Returns the entities of new rows whose identities the store assigns, with the
  /// number of these rows.
  func numbersOfNewIdentities(of pending: [Int]) -> [(entity: Int, count: Int)] {
    var counts: [Int: Int] = [:]
    for row in pending where !records[row].isStored {
      let entity = records[row].entity
      if schema.entities[entity].identityAttribute == nil { counts[entity, default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Creates the plan that saves rows.
  ///
  /// - Parameters:
  ///   - pending: The handles of the rows.
  ///   - newIdentities: The identities for the new rows of each entity.
  /// - Throws: A ``StoreError`` if no identities are left.
  func plan(
    saving pending: [Int], newIdentities: [Int: [Int64]]
  ) throws -> ContextPlan {
    var plan = ContextPlan()
    plan.identities = try identities(of: pending, newIdentities)
    var steps: [ContextPlan.Step] = []
    for row in pending {
      let record = records[row]
      switch (record.isStored, record.isAlive) {
      case (false, _): plan.inserts.append(self.row(row, plan))
      case (true, false): steps.append(.delete(self.row(row, plan)))
      case (true, true):
        let update = self.row(row, plan)
        if !update.columns.isEmpty { steps.append(.update(update)) }
      }
    }
    plan.stages = inOrder(steps, &plan)
    addEditedLinks(of: pending, to: &plan)
    addLinks(of: pending, to: &plan)
    addPositions(of: pending, to: &plan)
    return plan
  }

  private func identities(
    of pending: [Int], _ newIdentities: [Int: [Int64]]
  ) throws -> [Int: RowIdentity] {
    var rest = newIdentities.mapValues { $0[...] }
    var identities: [Int: RowIdentity] = [:]
    for row in pending where !records[row].isStored {
      let entity = entity(of: row)
      if let attribute = entity.identityAttribute {
        guard case .int64(let key)? = records[row].current?.attributes[attribute] else { continue }
        identities[row] = RowIdentity(entity: entity.name, stored: key)
      } else {
        guard let identity = rest[entity.index]?.popFirst() else {
          throw StoreError(
            .constraint, subject: "`\(entity.name)`", reason: "there are no more identities")
        }
        identities[row] = RowIdentity(entity: entity.name, stored: identity)
      }
    }
    return identities
  }

  private func row(_ row: Int, _ plan: ContextPlan) -> ContextPlan.Row {
    let record = records[row]
    let entity = entity(of: row)
    let current = record.current ?? entity.defaults
    let columns =
      record.isStored
      ? changedAttributes(of: row)
        + changedTargets(of: row).map { $0 + entity.attributes.count }
      : Array(entity.columnNames.indices)
    return ContextPlan.Row(
      handle: row, entity: record.entity, identity: plan.identities[row] ?? record.identity,
      old: cellValues(record.base ?? current), new: cellValues(current, entity, plan),
      columns: columns, cleared: clearedLinks(of: row))
  }

  private func cellValues(
    _ values: RowValues, _ entity: CompiledEntity, _ plan: ContextPlan
  ) -> [CellValue] {
    values.attributes.map { .content($0) }
      + visibleTargets(values.targets, of: entity).map { target in
        .row(target.map { plan.identities[$0] ?? records[$0].identity })
      }
  }

  /// Severs the stored links of deleted rows that were edited before the deletion. The rules
  /// of the database would follow them to rows that the context does not delete.
  private func addEditedLinks(of pending: [Int], to plan: inout ContextPlan) {
    for row in pending where records[row].isStored && !records[row].isAlive {
      guard let base = records[row].base, let current = records[row].current else { continue }
      for relationship in entity(of: row).linkColumns where relationship.canUnlink {
        guard [.cascade, .deny].contains(relationship.deleteRule), let slot = relationship.slot,
          let target = base.targets[slot], target != current.targets[slot],
          records[target].isAlive
        else { continue }
        plan.severed.append(
          ContextPlan.SeveredLink(
            relationship: relationship, row: records[row].identity,
            related: records[target].identity))
      }
    }
  }

  /// Whether a removed link of a link table must be deleted before the rows are. The
  /// database deletes the other links of deleted rows, but follows their rules.
  private func isUnlinked(_ row: Int, _ relationship: CompiledRelationship, _ member: Int) -> Bool {
    switch (records[row].isAlive, records[member].isAlive) {
    case (true, true): true
    case (false, true): relationship.deniesDeletion || relationship.deleteRule == .cascade
    case (true, false): relationship.deniesDeletion || relationship.targetDeleteRule == .cascade
    case (false, false): relationship.deniesDeletion
    }
  }

  private func addLinks(of pending: [Int], to plan: inout ContextPlan) {
    for row in pending {
      for relationship in entity(of: row).relationships {
        guard case .table(let table, .source) = relationship.storage,
          let edits = records[row].members[relationship.index]?.edits
        else { continue }
        func link(_ member: Int) -> ContextPlan.TableLink {
          ContextPlan.TableLink(
            table: table, source: plan.identities[row] ?? records[row].identity,
            target: plan.identities[member] ?? records[member].identity)
        }
        plan.unlinks += edits.removed.filter { member in
          records[member].isStored && isUnlinked(row, relationship, member)
        }.map { link($0) }
        if records[row].isAlive {
          plan.links += edits.added.filter { records[$0].isAlive }.map { link($0) }
        }
      }
    }
  }

  private func addPositions(of pending: [Int], to plan: inout ContextPlan) {
    for row in pending where records[row].isAlive {
      for relationship in entity(of: row).relationships where relationship.isOrdered {
        guard let members = records[row].members[relationship.index],
          hasChangedMembers(row, relationship), let stored = members.stored
        else { continue }
        var known: [Int: Int64] = [:]
        for (member, position) in zip(stored, members.positions) { known[member] = position }
        let current = members.current.filter { records[$0].isAlive }
        let positions = ascendingPositions(of: current, stored: known)
        plan.positions[MembersKey(owner: row, relationship: relationship.index)] = positions
        let owner = plan.identities[row] ?? records[row].identity
        let column: ContextPlan.PositionUpdate.Column
        switch relationship.storage {
        case .inverseColumn(_, let name?): column = .entity(relationship.destination, name)
        case .table(let table, let end): column = .table(table, end: end, owner: owner)
        default: continue
        }
        for (member, position) in zip(current, positions) where known[member] != position {
          plan.positionUpdates.append(
            ContextPlan.PositionUpdate(
              column: column, row: plan.identities[member] ?? records[member].identity,
              position: position))
        }
      }
    }
  }
}
