import GRDB
import MohoMapping
import MohoRows

extension SQLiteSession {
  /// The identities that a trigger may use after a collision, before the context does.
  private static let identityGap: Int64 = 1_000_000

  func newIdentities(
    of entity: CompiledEntity, count: Int, afterCollision: Bool
  ) throws -> [Int64] {
    let identity = quotedName(entity.identityColumn)
    let last = try perform { database in
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT max(\(identity)) FROM \(quotedName(entity.name))"))
    }
    var greatest = max(0, last ?? 0)
    // The rows of triggers have the identities after the greatest one.
    if afterCollision { greatest += min(Self.identityGap, (.max - greatest) / 2) }
    return (0..<Int64(min(Int64(count), .max - greatest))).map { greatest + 1 + $0 }
  }

  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?] {
    try perform { database in
      let statements = SQLiteContextStatements(database, schema.compiled)
      return try withPostponedIndexing(database) {
        try ContextSaver(statements, schema.compiled, self, policy).run(plan)
      }
    }
  }
}

/// Executes the statements of a plan, with one prepared statement per entity and
/// set of columns.
private final class SQLiteContextStatements: ContextStatements {
  private let database: Database
  private let schema: CompiledSchema
  private let sql: ContextWriteSQL
  private var statements: [String: PreparedStatement] = [:]
  /// The repeated updates of full-text indexes, by entity.
  private var indexing: [Int: RepeatedIndexing] = [:]

  init(_ database: Database, _ schema: CompiledSchema) {
    self.database = database
    self.schema = schema
    sql = ContextWriteSQL(schema, .sqlite)
  }

  func execute(_ write: ContextWrite) throws -> Bool {
    let statement = try statement(sql.statement(of: write).sql)
    statement.clearBindings()
    try statement.bind(sql.arguments(of: write))
    try withStoreErrors(on: nil) { try statement.execute() }
    guard statement.changesCount > 0 else { return false }
    if let entity = write.indexedEntity {
      try indexing[
        entity, default: RepeatedIndexing(of: schema.entities[entity].entity, database)
      ].didWriteRow()
    }
    return true
  }

  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws {
    try database.suspending(rules, schema, body)
  }

  private func statement(_ sql: String) throws -> PreparedStatement {
    if let statement = statements[sql] { return statement }
    let statement = try PreparedStatement(database, sql, reusesMemory: true)
    statements[sql] = statement
    return statement
  }
}

extension ContextWrite {
  /// The index of the entity whose searchable keys the statement may write.
  fileprivate var indexedEntity: Int? {
    switch self {
    case .update(let row, _), .delete(let row), .insert(let row): row.entity
    case .link, .unlink, .sever, .position: nil
    }
  }
}

extension ContextWriteDialect {
  fileprivate static let sqlite = ContextWriteDialect(
    parameter: { _ in "?" },
    equality: { column, type, parameter in
      let collation = type == .decimal ? DecimalText.collationClause : ""
      return "\(column)\(collation) IS \(parameter)"
    }, insertOrIgnore: ("INSERT OR IGNORE", ""))
}
