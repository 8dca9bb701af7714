import MohoMapping
import MohoRows

extension PostgresSession {
  func rows(
    of entity: CompiledEntity, with keyColumns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    let columns = FetchedColumns(entity, schema.compiled)
    let names = keyColumns.map { quotedName($0.name(in: entity)) }
    let types = keyColumns.map { column in
      switch column {
      case .attribute(let index): PostgresType(entity.attributes[index].type)
      case .slot: PostgresType.int8
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
    let result = try connection.query(sql, arguments)
    return try columns.rows { try forEachRow(of: result, as: columns.types, $0) }
  }

  private static func canStore(_ parts: [FieldContent], _ types: [PostgresType]) -> Bool {
    zip(parts, types).allSatisfy { part, type in
      var arguments = PostgresArguments()
      return (try? arguments.append(part, as: type)) != nil
    }
  }
}
