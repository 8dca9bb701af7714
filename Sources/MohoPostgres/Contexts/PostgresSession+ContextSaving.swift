import MohoMapping
import MohoRows

extension PostgresSession {
  func newIdentities(of entity: CompiledEntity, count: Int) throws -> [Int64] {
    // The sequence of the column also makes the identities that the server
    // assigns, so none is used twice.
    let sql = """
      SELECT nextval(pg_get_serial_sequence($1, $2)) FROM generate_series(1, $3) ORDER BY 1
      """
    var arguments = PostgresArguments()
    try arguments.append(
      "\(quotedName(connection.schemaName)).\(quotedName(entity.name))" as String)
    try arguments.append(entity.identityColumn as String)
    arguments.append(Int64(count))
    return try connection.query(sql, arguments).rows.map { $0.int64(0) }
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
    do {
      let query = try query(write)
      return try connection.query(query.sql, query.arguments).affectedRows > 0
    } catch var error as StoreError {
      error.subject = error.subject ?? "\(write.row)"
      throw error
    }
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
    } catch is ChangedRow {
      return false
    } catch let error as StoreError where !error.endsTransaction {
      // The statement that fails is found one by one, because its row is part of
      // the error.
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
