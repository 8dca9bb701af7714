import MohoMapping
import MohoRows
import PostgresTesting
import Testing

@testable import MohoPostgres

/// A PostgreSQL schema that a test migrates.
struct MigratedDatabase {
  let url: String
  let connection: PostgresConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    connection = try PostgresConnection(url)
  }

  func open(
    _ entities: [Entity], _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    try open(try Schema(entities), configuration)
  }

  func open(
    _ schema: Schema, _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    try PostgresMigrator(schema, configuration).prepare(connection)
  }

  /// Executes SQL. Capitalized words are quoted.
  func execute(_ sql: String) throws { try connection.execute(quoted(sql)) }

  /// Returns the columns of each row, separated by `|`.
  func values(_ sql: String) throws -> [String] {
    let sql = "SELECT translate(r::text, '()\"', '') FROM (\(quoted(sql))) r"
    return try connection.query(sql).rows.map { row in
      row.string(0).split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "NULL" : "\($0)" }.joined(separator: "|")
    }
  }

  private func quoted(_ sql: String) -> String {
    sql.replacing(#/(?<word>\b(_moho_)?[A-Z]([a-z]\w*|_\w+)?\b)(?!['"])/#) { match in
      "\"\(match.output.word)\""
    }
  }

  /// Expects the database to have exactly the tables of a new store.
  func expectAsDeclared(
    _ entities: [Entity], location: SourceLocation = #_sourceLocation
  ) throws {
    let other = try MigratedDatabase()
    try other.open(entities)
    let schema = try Schema(entities)
    func read(_ database: MigratedDatabase) throws -> StoredSchema {
      try PostgresMigrator(schema, PostgresConfiguration()).stored(database.connection)
    }
    let migrated = try read(self)
    let (found, expected) = (migrated.sorted, try read(other).sorted)
    #expect(found.tables.map(\.name) == expected.tables.map(\.name), sourceLocation: location)
    for (found, expected) in zip(found.tables, expected.tables) {
      #expect(found == expected, sourceLocation: location)
    }
    #expect(found.owned == expected.owned, sourceLocation: location)
    #expect(found.expressions == expected.expressions, sourceLocation: location)
    #expect(
      try functions().sorted() == other.functions().sorted(), sourceLocation: location)
    let plan = SchemaComparison(migrated, schema)
    #expect(plan.isPrepared && plan.differences.isEmpty, sourceLocation: location)
  }

  private func functions() throws -> [String] {
    try connection.query(
      """
      SELECT proname::text FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
      """
    ).rows.map { $0.string(0) }
  }
}

extension StoredSchema {
  /// The schema in an order that does not depend on its history.
  fileprivate var sorted: StoredSchema {
    var schema = self
    for index in schema.tables.indices {
      schema.tables[index].columns.sort { $0.name < $1.name }
      for trigger in schema.tables[index].deleteTriggers.indices {
        let body = schema.tables[index].deleteTriggers[trigger].body
        schema.tables[index].deleteTriggers[trigger].body = body.replacing(
          "\"\(namespace)\".", with: "")
      }
    }
    return schema
  }
}
