extension EditingContext {
  /// Inserts a row with the default values of its entity.
  ///
  /// The defaults are declared by the attributes, or by the `default:`
  /// parameters of the keys if the entity is derived from a model. Keys without
  /// a default are nil.
  ///
  /// - Throws: A ``StoreError`` if the store does not have the entity.
  public func insert(_ entity: String) throws -> ManagedRow {
    let entity = try schema.requireEntity(entity)
    return try operation { row(graph.insert(entity)) }
  }

  /// Deletes a row when the context is saved. See
  /// ``delete(_:)-(Sequence<ManagedRow>)``.
  public func delete(_ row: ManagedRow) throws { try delete(CollectionOfOne(row)) }

  /// Deletes rows when the context is saved.
  ///
  /// The delete rules of the relationships are applied immediately: links
  /// become nil, and cascades delete the related rows. A rule that denies a
  /// deletion is checked when the context is saved.
  ///
  /// A row that loses a link only because of a delete rule does not change. Saving
  /// does not write it, so it never causes a conflict.
  ///
  /// - Throws: A ``StoreError`` if a row belongs to another context, or if
  ///   related rows cannot be read.
  /// - Complexity: One statement per relationship and cascade level.
  public func delete(_ rows: some Sequence<ManagedRow>) throws {
    let handles = try rows.map { try handle(of: $0) }
    try operation { try delete(handles: handles) }
  }

  func delete(handles: [Int]) throws {
    var all: [Int] = []
    var visited: Set<Int> = []
    var level = handles.filter { graph[$0].isAlive && visited.insert($0).inserted }
    while !level.isEmpty {
      try loadValues(level)
      // A row that has been deleted from the store has no links to remove.
      level = level.filter { !graph[$0].isFault }
      try loadLinks(of: level)
      all += level
      level = graph.rowsDeletedByCascade(from: level, excluding: &visited)
    }
    try loadInverseLinks(of: all)
    try loadReferringRows(of: all)
    graph.delete(all, linkedBy: try incomingLinks(to: all))
  }

  private func loadLinks(of rows: [Int]) throws {
    for (entity, rows) in Dictionary(grouping: rows, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      for relationship in schema.entities[entity].relationships {
        try loadMembers(rows, relationship)
      }
    }
  }

  /// Reads the inverse links of the rows, and the orders that contain the rows.
  private func loadInverseLinks(of rows: [Int]) throws {
    for (entity, rows) in Dictionary(grouping: rows, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      for relationship in schema.entities[entity].relationships {
        let partners = rows.flatMap { graph.partners(of: $0, relationship) }
        guard let inverse = graph.inverse(of: relationship) else { continue }
        if inverse.slot != nil { try loadValues(partners) }
        if inverse.needsMembers { try loadMembers(partners, inverse) }
      }
    }
  }

  /// Reads the rows that refer to the rows by columns without an inverse.
  private func loadReferringRows(of rows: [Int]) throws {
    let stored = rows.filter { !graph[$0].identity.isTemporary || parent != nil }
    for (entity, rows) in Dictionary(grouping: stored, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      let keys = rows.compactMap { UniqueKey([.row(graph[$0].identity)]) }
      for column in schema.incoming[entity] {
        guard let slot = column.slot else { continue }
        let referring = schema.entities[column.entity]
        register(try source.rows(of: referring, with: [.slot(slot)], in: keys), of: referring)
      }
    }
  }

  /// Reads the links to rows that link tables have, without those that the rows have themselves.
  private func incomingLinks(to rows: [Int]) throws -> [IncomingLink] {
    try Dictionary(grouping: rows) { graph[$0].entity }.sorted { $0.key < $1.key }
      .flatMap { entity, rows in
        try schema.incoming[entity].filter { $0.slot == nil }
          .flatMap { try incomingLinks(to: rows, by: $0) }
      }
  }

  /// Reads the links of a relationship that has no inverse and is stored in a link table.
  func incomingLinks(
    to rows: [Int], by relationship: CompiledRelationship
  ) throws -> [IncomingLink] {
    let identities = rows.map { graph[$0].identity }.filter { !$0.isTemporary || parent != nil }
    let found = try identities.isEmpty ? [:] : source.owners(by: relationship, of: identities)
    let entity = schema.entities[relationship.entity]
    var stored: [IncomingLink] = []
    for member in rows {
      stored += register(found[graph[member].identity] ?? [], of: entity)
        .map { IncomingLink(owner: $0, relationship: relationship, member: member) }
    }
    if relationship.needsMembers { try loadMembers(stored.map(\.owner), relationship) }
    return graph.links(stored, andThoseBy: relationship, to: Set(rows))
  }

  /// Reads the current values of a row from the store.
  ///
  /// - Parameters:
  ///   - row: A row of the context.
  ///   - keepingChanges: If true, changed values and links stay as they are.
  ///     Saving then detects conflicts with the values read now. If false, the
  ///     changes are discarded. This can be undone.
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/rowNotFound`` if
  ///   the row has been deleted from the store. The row is then detached.
  public func refresh(_ row: ManagedRow, keepingChanges: Bool = false) throws {
    let handle = try handle(of: row)
    guard graph[handle].isStored else { return }
    let identity = graph[handle].identity
    try operation {
      if !keepingChanges { try revert(handle) }
      let found = try source.rows(of: graph.entity(of: handle), [identity])
      guard let fetched = found.first else { return graph.markGone(handle) }
      graph.refresh(handle, with: fetched)
      markRefreshed([handle])
    }
    guard graph[handle].isStored else {
      throw StoreError(.rowNotFound, subject: "\(identity)", reason: "the store has no such row")
    }
  }

  /// Restores the values and links that a row was read with.
  private func revert(_ row: Int) throws {
    if !graph[row].isAlive { graph.perform(.existence(row: row, isAlive: true)) }
    guard let base = graph[row].base else { return }
    for (index, value) in base.attributes.enumerated() {
      graph.setValue(value, of: row, attribute: index)
    }
    for relationship in graph.entity(of: row).relationships {
      if let slot = relationship.slot {
        let target = base.targets[slot].flatMap { graph[$0].isAlive ? $0 : nil }
        try prepareLinks(relationship, owners: [row], members: target.map { [$0] } ?? [])
        graph.replace(row, relationship, with: target.map { [$0] } ?? [], isAssignment: false)
      } else if let members = graph[row].members[relationship.index] {
        try prepareLinks(relationship, owners: [row], members: members.edits.removed)
        if let stored = graph[row].members[relationship.index]?.stored {
          graph.replace(
            row, relationship, with: stored.filter { graph[$0].isAlive }, isAssignment: false)
        }
      }
    }
  }

  /// - Throws: A ``StoreError`` if the row belongs to another context.
  func handle(of row: ManagedRow) throws -> Int {
    guard owns(row) else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row belongs to another context, or the context was reset",
        suggestion: "use `row(_:)` of this context with the identity of the row")
    }
    return row.handle
  }
}
