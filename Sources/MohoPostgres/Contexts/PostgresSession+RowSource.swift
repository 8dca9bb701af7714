import MohoMapping
import MohoRows

// Reads the rows of editing contexts.
extension PostgresSession {
  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    let stored = identities.compactMap(\.stored)
    if stored.isEmpty { return [] }
    let columns = RowColumns(entity: entity, schema: schema.compiled)
    let sql = LinkQuery(of: entity, PostgresDialect()).select(
      columns.selection(from: LinkQuery.alias))
    var arguments = PostgresArguments()
    arguments.append(stored)
    return try connection.query(sql, arguments).rows.map { try columns.row($0) }
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let stored = owners.compactMap(\.stored)
    if stored.isEmpty { return [:] }
    let compiled = schema.compiled
    let owner = compiled.entities[relationship.entity].name
    let columns = RowColumns(
      entity: compiled.entities[relationship.destination], schema: compiled)
    let query = LinkQuery(relationship, compiled, PostgresDialect())
    let sql = query.select(
      [query.owner, query.position] + columns.selection(from: LinkQuery.alias))
    var arguments = PostgresArguments()
    arguments.append(stored)
    var members: [RowIdentity: [FetchedMember]] = [:]
    for row in try connection.query(sql, arguments).rows {
      members[RowIdentity(entity: owner, stored: row.int64(0)), default: []].append(
        FetchedMember(row: try columns.row(row, from: 2), position: row.optionalInt64(1)))
    }
    return members
  }

  func rows(
    of entity: CompiledEntity, with keyColumns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    let columns = RowColumns(entity: entity, schema: schema.compiled)
    var names: [String] = []
    var types: [PostgresType] = []
    for column in keyColumns {
      switch column {
      case .attribute(let index):
        names.append(quotedName(entity.attributes[index].name))
        types.append(PostgresType(entity.attributes[index].type))
      case .slot(let slot):
        names.append(quotedName(entity.linkColumns[slot].name))
        types.append(.int8)
      }
    }
    var arrays = types.map { PostgresArray($0) }
    for key in keys where key.mayBeStored {
      let parts = key.parts.map(\.storedContent)
      // A value that the column cannot store is not the value of any row.
      guard Self.canStore(parts, types) else { continue }
      for (index, part) in parts.enumerated() { try arrays[index].append(part) }
    }
    if arrays.allSatisfy({ $0.count == 0 }) { return [] }
    var arguments = PostgresArguments()
    for array in arrays { arguments.append(array) }
    let lists = types.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let sql = """
      SELECT \(columns.selection(from: entity.name).joined(separator: ", ")) \
      FROM \(quotedName(entity.name)) WHERE (\(names.joined(separator: ", "))) IN \
      (SELECT * FROM unnest(\(lists)))
      """
    return try connection.query(sql, arguments).rows.map { try columns.row($0) }
  }

  private static func canStore(_ parts: [FieldContent], _ types: [PostgresType]) -> Bool {
    zip(parts, types).allSatisfy { part, type in
      var arguments = PostgresArguments()
      return (try? arguments.append(part, as: type)) != nil
    }
  }
}
