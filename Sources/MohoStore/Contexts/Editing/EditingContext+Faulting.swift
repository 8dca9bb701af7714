import MohoMapping

extension EditingContext {
  /// Reads the values of those rows that are faults, with those that were
  /// fetched with them.
  func loadValues(_ rows: [Int]) throws {
    let faults = Set(
      rows.filter { graph[$0].isFault && graph[$0].isStored }.flatMap { graph.faults(with: $0) })
    for (entity, faults) in Dictionary(grouping: faults, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      let entity = layout.entities[entity]
      let rows = try source.rows(of: entity, faults.sorted().map { graph[$0].identity })
      absorb(rows, of: entity)
    }
  }

  /// Reads the values of a row, if it is a fault.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/rowIsGone`` where the
  ///   store does not have it.
  func requireValues(_ row: Int) throws -> RowValues {
    if graph[row].isFault { try loadValues([row]) }
    guard let values = graph[row].current else {
      throw StoreError(
        .rowIsGone, subject: "\(graph[row].identity)", reason: "the store has no such row")
    }
    return values
  }

  /// Reads which rows are at the other end of a relationship, for those of some
  /// rows that it is not known of.
  func loadMembers(_ rows: [Int], _ relationship: RelationshipLayout) throws {
    guard relationship.slot == nil else { return try loadValues(rows) }
    let owners = rows.filter { graph.lacksMembers($0, relationship) }
    guard !owners.isEmpty else { return }
    let found = try source.members(by: relationship, of: owners.map { graph[$0].identity })
    markRefreshed(graph.absorb(found, by: relationship, of: owners))
  }

  /// Reads what is at the other end of a relationship for a row and those that
  /// were fetched with it.
  func loadMembers(with row: Int, _ relationship: RelationshipLayout) throws {
    if relationship.slot != nil {
      _ = try requireValues(row)
    } else if graph.lacksMembers(row, relationship) {
      try loadMembers(graph.ownersToLoad(with: row, relationship), relationship)
    }
  }

  /// The rows that a row is linked to and that are there.
  func partners(of row: Int, _ relationship: RelationshipLayout) throws -> [Int] {
    try loadMembers(with: row, relationship)
    return graph.partners(of: row, relationship).filter { graph[$0].isAlive }
  }

  /// Reads what linking and unlinking rows must know, for many at once.
  func prepareLinks(
    _ relationship: RelationshipLayout, owners: [Int], members: [Int]
  ) throws {
    try loadMembers(owners, relationship)
    guard let inverse = graph.inverse(of: relationship) else { return }
    if inverse.slot != nil {
      try loadValues(members)
      // The rows that give way, in whose columns the links are.
      try loadValues(owners.flatMap { graph.partners(of: $0, relationship) })
    }
    if inverse.needsMembers {
      try loadMembers(members, inverse)
      try loadValues(members.flatMap { graph.partners(of: $0, inverse) })
      if relationship.slot != nil {
        // The rows that these were among before.
        let old = owners.flatMap { graph.partners(of: $0, relationship) }
        try loadMembers(old, inverse)
      }
    }
    if relationship.needsMembers, !inverse.isToMany {
      let old = members.flatMap { graph.partners(of: $0, inverse) }
      try loadMembers(old, relationship)
    }
  }

  /// A row as a child context reads it.
  func fetched(_ row: Int) -> FetchedRow {
    let record = graph[row]
    let values = record.current ?? graph.entity(of: row).defaults
    return FetchedRow(
      identity: record.identity, attributes: values.attributes,
      targets: values.targets.map { $0.map { graph[$0].identity } })
  }
}

extension StoreError.Code {
  /// A row that is named by its identity is not in the store, or no longer.
  public static let rowIsGone = StoreError.Code(name: "row is gone")
}
