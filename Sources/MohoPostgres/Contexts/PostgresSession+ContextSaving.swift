import MohoMapping
import MohoRows

extension PostgresSession {
  func newIdentities(
    of entity: CompiledEntity, count: Int, afterCollision: Bool
  ) throws -> [Int64] {
    let connection = try connection
    let table = connection.qualified(entity.name)
    // The sequence of the column also makes the identities that the server assigns, so none
    // is used twice. It does not know those that SQL has chosen. They are looked up after a
    // collision only, because reading the index would make all serializable transactions
    // that insert rows conflict.
    let condition =
      afterCollision
      ? """
       WHERE NOT EXISTS
        (SELECT FROM \(table) t WHERE t.\(quotedName(entity.identityColumn)) = s.id)
      """ : ""
    let sql = """
      SELECT id FROM (
        SELECT nextval(pg_get_serial_sequence($1, $2)) AS id FROM generate_series(1, $3)
      ) s\(condition) ORDER BY 1
      """
    var found: [Int64] = []
    var drawn = Int64(count)
    while found.count < count {
      var arguments = PostgresArguments()
      try arguments.append(table)
      try arguments.append(entity.identityColumn)
      arguments.append(drawn)
      found += try connection.query(sql, arguments).rows.map { $0.int64(0) }
      // Many consecutive identities may be in use.
      drawn = min(drawn * 2, 1 << 20)
    }
    return Array(found.prefix(count))
  }

  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?] {
    let connection = try connection
    let statements = PostgresContextStatements(connection, self)
    return try connection.withSavepoint {
      try ContextSaver(statements, schema.compiled, self, policy).run(plan)
    }
  }
}
