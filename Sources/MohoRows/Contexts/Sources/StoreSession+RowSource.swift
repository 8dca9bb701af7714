import MohoMapping

// Reads the rows of contexts.
extension StoreSession {
  package func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    let sql = try requestSQL(request)
    let columns = FetchedColumns(
      try schema.compiled.requireEntity(request.entity), schema.compiled)
    return try rows(sql.select(columns.selection(from: sql.alias)), columns)
  }

  package func rows(
    of entity: CompiledEntity, _ identities: [RowIdentity]
  ) throws -> [FetchedRow] {
    let stored = identities.compactMap(\.stored)
    if stored.isEmpty { return [] }
    let columns = FetchedColumns(entity, schema.compiled)
    let query = LinkQuery(of: entity, dialect)
    let sql = query.select(columns.selection(from: LinkQuery.alias))
    return try rows(SQLQuery(sql, [query.argument(stored)]), columns)
  }

  package func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let compiled = schema.compiled
    return try linked(
      LinkQuery(relationship, compiled, dialect), to: owners,
      compiled.entities[relationship.destination], compiled.entities[relationship.entity])
  }

  package func owners(
    by relationship: CompiledRelationship, of members: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedRow]] {
    let compiled = schema.compiled
    guard let query = LinkQuery(ownersBy: relationship, compiled, dialect) else { return [:] }
    return try linked(
      query, to: members, compiled.entities[relationship.entity],
      compiled.entities[relationship.destination]
    ).mapValues { $0.map(\.row) }
  }

  /// Returns the rows at the other end of links, by the identity of the row at this end.
  private func linked(
    _ query: LinkQuery, to identities: [RowIdentity], _ other: CompiledEntity,
    _ this: CompiledEntity
  ) throws -> [RowIdentity: [FetchedMember]] {
    let stored = identities.compactMap(\.stored)
    if stored.isEmpty { return [:] }
    let columns = FetchedColumns(
      other, schema.compiled, selecting: [query.owner, query.position])
    let sql = query.select(columns.selection(from: LinkQuery.alias))
    var linked: [RowIdentity: [FetchedMember]] = [:]
    try columns.reportingDamage {
      try forEachRow(of: SQLQuery(sql, [query.argument(stored)]), as: columns.types) { values in
        let (row, integers) = columns.row(taking: &values)
        let key = RowIdentity(entity: this.name, stored: integers[0] ?? 0)
        linked[key, default: []].append(FetchedMember(row: row, position: integers[1]))
      }
    }
    return linked
  }

  /// Returns the rows of a query of columns, in its order.
  package func rows(_ query: SQLQuery, _ columns: FetchedColumns) throws -> [FetchedRow] {
    try columns.rows { try forEachRow(of: query, as: columns.types, $0) }
  }
}
