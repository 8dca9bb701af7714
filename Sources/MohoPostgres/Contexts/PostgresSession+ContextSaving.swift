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

/// Executes the statements of a plan.
private final class PostgresContextStatements: ContextStatements {
  private let connection: PostgresConnection
  private let session: PostgresSession
  private let sql: ContextWriteSQL

  init(_ connection: PostgresConnection, _ session: PostgresSession) {
    self.connection = connection
    self.session = session
    sql = ContextWriteSQL(session.schema.compiled, .postgres)
  }

  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws {
    try session.suspending(rules, body)
  }

  func execute(_ write: ContextWrite) throws -> Bool {
    let query = try query(write)
    return try connection.query(query.sql, query.arguments).affectedRows > 0
  }

  func executeTogether(_ writes: [ContextWrite]) throws -> Bool {
    if writes.count < 2 { return false }
    do {
      let queries = try writes.map { try query($0) }
      try connection.withSavepoint {
        for start in stride(from: 0, to: queries.count, by: Self.batchSize) {
          let end = min(start + Self.batchSize, queries.count)
          let results = try connection.queries(Array(queries[start..<end]))
          for (write, result) in zip(writes[start..<end], results) {
            if case .update = write, result.affectedRows == 0 { throw ChangedRow() }
          }
        }
      }
      return true
    } catch is ChangedRow, is MappingError {
      // The row of the value that cannot be stored is part of the error, and found one by one.
      return false
    } catch let error as StoreError where !error.endsTransaction {
      // So is the row of the statement that fails.
      return false
    }
  }

  private static let batchSize = 2_000

  private struct ChangedRow: Error {}

  private func query(_ write: ContextWrite) throws -> PostgresQuery {
    let statement = sql.statement(of: write)
    var arguments = PostgresArguments()
    for (content, type) in zip(sql.arguments(of: write), statement.types) {
      try arguments.append(content, as: PostgresType(type))
    }
    return PostgresQuery(statement.sql, arguments)
  }
}

extension StoreError {
  /// Whether no statement of the transaction can succeed after this error.
  fileprivate var endsTransaction: Bool {
    [.connectionLost, .commitUnknown, .conflict].contains(code)
  }
}

extension ContextWriteDialect {
  fileprivate static let postgres = ContextWriteDialect(
    parameter: { "$\($0)" },
    equality: { column, _, parameter in "\(column) IS NOT DISTINCT FROM \(parameter)" },
    insertOrIgnore: ("INSERT", " ON CONFLICT DO NOTHING"))
}
