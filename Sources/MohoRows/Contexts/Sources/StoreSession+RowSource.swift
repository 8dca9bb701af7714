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
    let stored = owners.compactMap(\.stored)
    if stored.isEmpty { return [:] }
    let compiled = schema.compiled
    let owner = compiled.entities[relationship.entity].name
    let query = LinkQuery(relationship, compiled, dialect)
    let columns = FetchedColumns(
      compiled.entities[relationship.destination], compiled,
      selecting: [query.owner, query.position])
    let sql = query.select(columns.selection(from: LinkQuery.alias))
    var members: [RowIdentity: [FetchedMember]] = [:]
    try columns.reportingDamage {
      try forEachRow(of: SQLQuery(sql, [query.argument(stored)]), as: columns.types) { values in
        let (row, integers) = columns.row(taking: &values)
        let key = RowIdentity(entity: owner, stored: integers[0] ?? 0)
        members[key, default: []].append(FetchedMember(row: row, position: integers[1]))
      }
    }
    return members
  }

  /// Returns the rows of a query of columns, in its order.
  package func rows(_ query: SQLQuery, _ columns: FetchedColumns) throws -> [FetchedRow] {
    try columns.rows { try forEachRow(of: query, as: columns.types, $0) }
  }
}
