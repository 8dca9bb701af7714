import MohoMapping
import MohoRows

extension PostgresSession: DeletionStatements {
  func execute(_ query: SQLQuery) throws { _ = try self.query(query) }

  /// Replaces the functions of the triggers that deny deletions. Other
  /// transactions do not see this. Disabling a trigger would lock its table.
  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws {
    let connection = try connection
    let triggers = rules.map { schema.compiled.deleteTrigger(of: $0, in: connection.schemaName) }
    for trigger in triggers {
      try connection.execute(trigger.function(in: connection.schemaName, "BEGIN RETURN OLD; END"))
    }
    try body()
    for trigger in triggers {
      try connection.execute(trigger.function(in: connection.schemaName, trigger.body))
    }
  }

  /// Deletes rows with all rows that cascades reach. If this fails, no row is
  /// deleted.
  func delete(_ ids: [Int64], of entity: CompiledEntity) throws {
    if ids.isEmpty { return }
    try connection.withSavepoint {
      try RowDeleter(self, schema.compiled).delete(ids, of: entity)
    }
  }
}
