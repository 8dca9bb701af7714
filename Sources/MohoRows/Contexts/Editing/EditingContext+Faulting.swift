import MohoMapping

extension EditingContext {
  /// Reads the values of the given faults, and of all faults that were fetched
  /// together with them.
  package func loadValues(_ rows: [Int]) throws {
    let faults = Set(
      rows.filter { graph[$0].isFault && graph[$0].isStored }.flatMap { graph.faults(with: $0) })
    for (entity, faults) in Dictionary(grouping: faults, by: { graph[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      let entity = schema.entities[entity]
      let rows = try source.rows(of: entity, faults.sorted().map { graph[$0].identity })
      register(rows, of: entity)
    }
  }

  /// Returns the values of a row. If the row is a fault, its values are read
  /// first.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/rowNotFound`` if
  ///   the store does not have the row.
  func requireValues(_ row: Int) throws -> RowValues {
    if graph[row].isFault { try loadValues([row]) }
    guard let values = graph[row].current else {
      throw StoreError(
        .rowNotFound, subject: "\(graph[row].identity)", reason: "the store has no such row")
    }
    return values
  }

  /// Reads the links of a relationship for those rows whose links are not
  /// loaded.
  func loadMembers(_ rows: [Int], _ relationship: CompiledRelationship) throws {
    guard relationship.slot == nil else { return try loadValues(rows) }
    let owners = rows.filter { graph.lacksMembers($0, relationship) }
    guard !owners.isEmpty else { return }
    let found = try source.members(by: relationship, of: owners.map { graph[$0].identity })
    markRefreshed(graph.register(found, by: relationship, of: owners))
  }

  /// Reads the links of a relationship for a row, and for the rows that were
  /// fetched together with it.
  func loadMembers(with row: Int, _ relationship: CompiledRelationship) throws {
    if relationship.slot != nil {
      _ = try requireValues(row)
    } else if graph.lacksMembers(row, relationship) {
      try loadMembers(graph.ownersToLoad(with: row, relationship), relationship)
    }
  }

  /// Returns the rows that a row is linked to, without deleted rows.
  func partners(of row: Int, _ relationship: CompiledRelationship) throws -> [Int] {
    try loadMembers(with: row, relationship)
    return graph.partners(of: row, relationship).filter { graph[$0].isAlive }
  }

  /// Reads all values and links that linking and unlinking depend on, in a few
  /// statements for many rows.
  func prepareLinks(
    _ relationship: CompiledRelationship, owners: [Int], members: [Int]
  ) throws {
    try loadMembers(owners, relationship)
    guard let inverse = graph.inverse(of: relationship) else { return }
    if inverse.slot != nil {
      try loadValues(members)
      // The columns of the replaced members contain the links.
      try loadValues(owners.flatMap { graph.partners(of: $0, relationship) })
    }
    if inverse.needsMembers {
      try loadMembers(members, inverse)
      try loadValues(members.flatMap { graph.partners(of: $0, inverse) })
      if relationship.slot != nil {
        // The rows that the owners are linked to lose a member.
        let old = owners.flatMap { graph.partners(of: $0, relationship) }
        try loadMembers(old, inverse)
      }
    }
    if relationship.needsMembers, !inverse.isToMany {
      let old = members.flatMap { graph.partners(of: $0, inverse) }
      try loadMembers(old, relationship)
    }
  }

  /// Returns a row in the form that a child context reads.
  func fetched(_ row: Int) -> FetchedRow {
    let record = graph[row]
    let values = record.current ?? graph.entity(of: row).defaults
    return FetchedRow(
      identity: record.identity, attributes: values.attributes,
      targets: graph.visibleTargets(values.targets, of: graph.entity(of: row))
        .map { $0.map { graph[$0].identity } })
  }
}
