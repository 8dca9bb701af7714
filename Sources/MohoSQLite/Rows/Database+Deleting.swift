import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Deletes rows with all rows that cascades reach.
private struct SQLiteDeletion: DeletionStatements {
  let database: Database
  let schema: CompiledSchema

  var dialect: any SQLDialect { SQLiteDialect() }

  func forEachRow(
    of query: SQLQuery, valueCount: Int, _ body: (Int64, [StoredValue]) throws -> Void
  ) throws {
    try DatabaseRows(database).forEachRow(of: query, valueCount: valueCount, body)
  }

  func execute(_ query: SQLQuery) throws { try PreparedStatement(database, query).execute() }

  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws {
    try database.suspending(rules, schema, body)
  }
}

extension Database {
  /// Runs a closure while the rules of some relationships do not deny deletions.
  ///
  /// Their triggers are dropped and created again, because SQLite cannot disable
  /// single triggers. If the closure throws, its changes are undone.
  func suspending(
    _ rules: [CompiledRelationship], _ schema: CompiledSchema, _ body: () throws -> Void
  ) throws {
    if rules.isEmpty { return try body() }
    let triggers = rules.compactMap { schema.deleteTrigger(of: $0) }
    try withSavepoint(self) { _ in
      for trigger in triggers {
        try MohoSQLite.execute("DROP TRIGGER \(quotedName(trigger.name))", on: self)
      }
      try body()
      for trigger in triggers { try MohoSQLite.execute(trigger.sql, on: self) }
    }
  }

  /// Deletes rows with all rows that cascades reach. If this fails, no row is
  /// deleted.
  func delete(_ ids: [Int64], of entity: CompiledEntity, _ schema: CompiledSchema) throws {
    if ids.isEmpty { return }
    try withSavepoint(self) { _ in
      try RowDeleter(SQLiteDeletion(database: self, schema: schema), schema)
        .delete(ids, of: entity)
    }
  }

  /// Deletes the rows of an entity that meet an SQL condition, with all rows that
  /// cascades reach.
  ///
  /// - Returns: The number of rows that meet the condition.
  func delete(
    _ entity: CompiledEntity, where condition: String, _ schema: CompiledSchema
  ) throws -> Int {
    let table = quotedName(entity.name)
    guard schema.needsDeleter(entity) else {
      try cachedStatement(sql: "DELETE FROM \(table) WHERE \(condition)").execute()
      return changesCount
    }
    let ids = try identities(
      SQLQuery("SELECT \(quotedName(entity.identityColumn)) FROM \(table) WHERE \(condition)"))
    try delete(ids, of: entity, schema)
    return ids.count
  }

  /// Returns the identities that a query selects.
  func identities(_ query: SQLQuery) throws -> [Int64] {
    var ids: [Int64] = []
    try StatementRows.forEach(of: query, self) { ids.append(sqlite3_column_int64($0, 0)) }
    return ids
  }
}
