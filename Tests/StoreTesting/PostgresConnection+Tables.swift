import MohoMapping
import PostgresTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

extension PostgresConnection {
  /// Expects the current PostgreSQL schema to have exactly the tables of a new
  /// store.
  package func expectTables(of schema: Schema, location: SourceLocation) throws {
    let other = try PostgresConnection(PostgresServer.shared().emptySchema())
    let migrator = PostgresMigrator(schema, PostgresConfiguration())
    try migrator.prepare(other)

    let migrated = try migrator.stored(self)
    let (found, expected) = (migrated.sorted, try migrator.stored(other).sorted)
    #expect(found.tables.map(\.name) == expected.tables.map(\.name), sourceLocation: location)
    for (found, expected) in zip(found.tables, expected.tables) {
      #expect(found == expected, sourceLocation: location)
    }
    #expect(found.owned == expected.owned, sourceLocation: location)
    #expect(found.expressions == expected.expressions, sourceLocation: location)
    #expect(try functions().sorted() == other.functions().sorted(), sourceLocation: location)
    let comparison = SchemaComparison(migrated, schema)
    #expect(comparison.isPrepared && comparison.differences.isEmpty, sourceLocation: location)
  }

  private func functions() throws -> [String] {
    try query(
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
