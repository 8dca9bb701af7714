public import MohoMapping

extension EditingContext {
  /// Inserts a row with the default values of its entity.
  ///
  /// They are those that the attributes declare, or the `default:` of the keys
  /// where the entity is derived from a model. Keys without a default are nil.
  ///
  /// - Throws: ``StoreError`` where the store has no such entity.
  public func insert(_ entity: String) throws -> ManagedRow {
    let layout = try layout.requireEntity(entity)
    return try operation { row(graph.insert(layout)) }
  }

  /// Inserts a row of a model's entity with the `default:` values of its keys.
  ///
  /// - Throws: As ``insert(_:)-(String)``.
  public func insert<Model: MappedModel>(_ model: Model.Type) throws -> ManagedRow {
    try insert(Model.mapping.name)
  }

  /// Deletes a row, as ``delete(_:)-(Sequence<ManagedRow>)`` does.
  public func delete(_ row: ManagedRow) throws { try delete(CollectionOfOne(row)) }

  /// Deletes rows when the context is saved.
  ///
  /// The delete rules of their relationships hold at once: links become nil,
  /// and rows that are to go with these are deleted too. What denies a deletion
  /// is found out when the context is saved.
  ///
  /// - Throws: ``StoreError`` where rows are of another context.
  /// - Complexity: One statement for each relationship and level of rows that
  ///   go with others.
  public func delete(_ rows: some Sequence<ManagedRow>) throws {
    let handles = try rows.map { try handle(of: $0) }
    try operation { try delete(handles: handles) }
  }

  func delete(handles: [Int]) throws {
    var all: [Int] = []
    var known: Set<Int> = []
    var level = handles.filter { graph[$0].isAlive && known.insert($0).inserted }
    while !level.isEmpty {
      try loadValues(level)
      // A row that the store no longer has cannot lose its links.
      level = level.filter { !graph[$0].isFault }
      try loadLinks(of: level)
      all += level
      level = graph.cascade(from: level, besides: known)
      known.formUnion(level)
    }
    try loadWaysBack(of: all)
    graph.delete(all)
  }

  private func loadLinks(of rows: [Int]) throws {
    for (entity, rows) in Dictionary(grouping: rows, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      for relationship in layout.entities[entity].relationships {
        try loadMembers(rows, relationship)
      }
    }
  }

  /// Reads the orders that rows are taken out of.
  private func loadWaysBack(of rows: [Int]) throws {
    for (entity, rows) in Dictionary(grouping: rows, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      for relationship in layout.entities[entity].relationships {
        let partners = rows.flatMap { graph.partners(of: $0, relationship) }
        guard let inverse = graph.inverse(of: relationship) else { continue }
        if inverse.slot != nil { try loadValues(partners) }
        if inverse.needsMembers { try loadMembers(partners, inverse) }
      }
    }
  }

  /// Takes the values that the store has now of a row.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - keepingChanges: Whether values and links that were changed stay as they
  ///     are, and are compared with what the store has now when they are saved.
  ///     Otherwise they are lost, which can be undone.
  /// - Throws: ``StoreError`` of code ``StoreError/Code/rowIsGone`` where the
  ///   store does not have it any more; the row is detached then.
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
      throw StoreError(.rowIsGone, subject: "\(identity)", reason: "the store has no such row")
    }
  }

  /// Gives a row the values and links that it was read with.
  private func revert(_ row: Int) throws {
    if !graph[row].isAlive { graph.perform(.life(row: row, isAlive: true)) }
    guard let base = graph[row].base else { return }
    for (index, value) in base.attributes.enumerated() {
      graph.setValue(value, of: row, attribute: index)
    }
    for relationship in graph.entity(of: row).relationships {
      if let slot = relationship.slot {
        let target = base.targets[slot]
        try prepareLinks(relationship, owners: [row], members: target.map { [$0] } ?? [])
        graph.replace(row, relationship, with: target.map { [$0] } ?? [])
      } else if let members = graph[row].members[relationship.index] {
        try prepareLinks(relationship, owners: [row], members: members.edits.removed)
        if let stored = graph[row].members[relationship.index]?.stored {
          graph.replace(row, relationship, with: stored)
        }
      }
    }
  }

  /// - Throws: ``StoreError`` where the row is of another context.
  func handle(of row: ManagedRow) throws -> Int {
    guard owns(row) else {
      throw StoreError(
        .invalidRequest, subject: "`\(row.entity.name)`",
        reason: "the row belongs to another context, or was let go by `reset`",
        suggestion: "ask this context for the row of its identity")
    }
    return row.handle
  }
}
