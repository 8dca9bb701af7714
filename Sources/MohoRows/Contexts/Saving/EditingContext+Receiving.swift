import MohoMapping

extension EditingContext {
  /// Applies the changes of a child context as one undo group. If the method
  /// throws, the context is unchanged.
  ///
  /// - Throws: A ``ConflictError`` if rows have changed in this context since
  ///   the child read them, and the child's policy is an error.
  func receive(_ child: EditingContext, _ settled: SettledLinks) throws -> SavedRows {
    // An accepted draft can be undone alone.
    undoStack.seal()
    defer { undoStack.seal() }
    return try operation {
      let pending = child.graph.pending
      var saved = SavedRows()
      let rows = try decide(pending, of: child, settled, &saved)
      try takeLinks(rows, of: child, saved)
      for row in rows {
        guard let own = graph.handles[child.graph[row].identity] else { continue }
        guard let values = saved.merged[row] ?? child.graph[row].current else { continue }
        let isMerged = saved.merged[row] != nil
        for index in isMerged
          ? Array(values.attributes.indices) : child.graph.changedAttributes(of: row)
        {
          graph.setValue(values.attributes[index], of: own, attribute: index)
        }
      }
      try takeDeletions(rows, of: child)
      return saved
    }
  }

  /// Inserts new rows. Returns the rows whose changes apply according to the
  /// policy of the child.
  private func decide(
    _ pending: [Int], of child: EditingContext, _ settled: SettledLinks,
    _ saved: inout SavedRows
  ) throws -> [Int] {
    let resolver = ConflictResolver(policy: child.conflictPolicy)
    var conflicts = settled.conflicts
    var taken: [Int] = []
    try loadValues(
      pending.filter { child.graph[$0].isStored }
        .compactMap { graph.handles[child.graph[$0].identity] })
    for row in pending {
      let record = child.graph[row]
      let entity = child.graph.entity(of: row)
      guard record.isStored else {
        revive(record.identity, entity)
        taken.append(row)
        continue
      }
      guard let base = record.base, var mine = child.graph.visibleCellValues(of: row) else {
        taken.append(row)
        continue
      }
      var old = child.graph.cellValues(base)
      let own = graph.handles[record.identity]
      let theirs = own.flatMap { graph[$0].isAlive ? graph.visibleCellValues(of: $0) : nil }
      if let theirs, settled.restored.contains(row) {
        saved.merged[row] = child.graph.values(theirs, of: row)
        continue
      }
      if let theirs {
        let cleared = child.graph.clearedLinks(of: row)
        if record.isAlive {
          cleared.settle(&old, &mine, with: theirs)
        } else {
          cleared.settleDeletion(&old, with: theirs) { identity in
            graph.handles[identity].map { graph[$0].isAlive } ?? false
          }
        }
      }
      let resolution = resolver.resolution(
        of: record.identity, keys: entity.columnNames, old: old,
        mine: record.isAlive ? mine : nil, theirs: theirs)
      switch resolution {
      case .conflict(let conflict): conflicts.append(conflict)
      case .delete: taken.append(row)
      case .discard: if record.isAlive { saved.gone.insert(row) }
      case .keepTheirs:
        saved.merged[row] = theirs.map { child.graph.values($0, of: row) }
      case .insertAgain:
        revive(record.identity, entity)
        taken.append(row)
      case .write(let values):
        let merged = child.graph.values(values, of: row)
        if theirs != child.graph.cellValues(base) { saved.merged[row] = merged }
        taken.append(row)
      }
    }
    guard conflicts.isEmpty else { throw ConflictError(conflicts: conflicts) }
    return taken
  }

  private func revive(_ identity: RowIdentity, _ entity: CompiledEntity) {
    if let own = graph.handles[identity] {
      if !graph[own].isAlive { graph.perform(.existence(row: own, isAlive: true)) }
    } else {
      _ = graph.insert(entity, identity: identity)
    }
  }

  private func takeLinks(
    _ rows: [Int], of child: EditingContext, _ saved: SavedRows
  ) throws {
    func own(_ row: Int) -> Int {
      let record = child.graph[row]
      return graph.handle(for: record.identity, entity: record.entity)
    }
    // Unlink first, so that new links do not lose their rows.
    for isLinking in [false, true] {
      for row in rows {
        for relationship in child.graph.entity(of: row).relationships {
          let (added, removed) = child.linkEdits(of: row, relationship, saved)
          let members = (isLinking ? added : removed).map { own($0) }
          guard !members.isEmpty else { continue }
          try prepareLinks(relationship, owners: [own(row)], members: members)
          for member in members {
            if isLinking {
              graph.link(own(row), relationship, to: member)
            } else if graph.isLinked(own(row), relationship, member) {
              graph.unlink(own(row), relationship, from: member)
            }
          }
        }
      }
    }
    for row in rows where child.graph[row].isAlive {
      for relationship in child.graph.changedMembers(of: row) where relationship.isOrdered {
        try loadMembers([own(row)], relationship)
        let order = child.graph.partners(of: row, relationship).map { own($0) }
        let known = Set(order)
        let others = graph.partners(of: own(row), relationship).filter { !known.contains($0) }
        let present = Set(graph.partners(of: own(row), relationship))
        graph.replace(
          own(row), relationship, with: order.filter { present.contains($0) } + others,
          isAssignment: false)
      }
    }
    for row in rows where child.graph[row].isAlive {
      for (index, members) in child.graph[row].members where members.isAssigned {
        let relationship = child.graph.entity(of: row).relationships[index]
        graph.recordAssignment(own(row), relationship)
      }
    }
  }

  private func takeDeletions(_ rows: [Int], of child: EditingContext) throws {
    let deleted = rows.filter { !child.graph[$0].isAlive }
    try delete(handles: deleted.compactMap { graph.handles[child.graph[$0].identity] })
  }

  /// Returns the added and removed links of a row, from the end of the
  /// relationship that stores the links.
  private func linkEdits(
    of row: Int, _ relationship: CompiledRelationship, _ saved: SavedRows
  ) -> (added: [Int], removed: [Int]) {
    if let slot = relationship.slot {
      let old = graph[row].base?.targets[slot]
      let targets = (saved.merged[row] ?? graph[row].current)?.targets ?? []
      let new =
        targets.isEmpty
        ? nil : graph.visibleTargets(targets, of: graph.entity(of: row))[slot]
      // The parent applies the delete rules itself.
      let isEdited = graph.changedTargets(of: row).contains(slot)
      if !isEdited, new == nil, graph.clearedSlots(of: row).contains(slot) { return ([], []) }
      if old == new, saved.merged[row] == nil || new == nil { return ([], []) }
      return (new.map { [$0] } ?? [], old == new ? [] : old.map { [$0] } ?? [])
    }
    guard case .table(_, .source) = relationship.storage,
      let edits = graph[row].members[relationship.index]?.edits
    else { return ([], []) }
    return (
      edits.added.filter { graph[$0].isAlive }, edits.removed.filter { graph[$0].isAlive }
    )
  }
}
