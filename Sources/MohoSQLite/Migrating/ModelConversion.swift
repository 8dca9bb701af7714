import GRDB
import MohoMapping
import MohoRows

/// A migration step that converts models and saves the results.
struct ModelConversion: Sendable {
  let summary: String
  let run: @Sendable (Database, StoredSchema, _ progress: (Int) throws -> Void) throws -> Void

  init<Old: MappedModel, New: MappedModel>(_ convert: @escaping @Sendable (Old) throws -> New?) {
    let (old, new) = (Old.mapping.name, New.mapping.name)
    summary = "convert the models of `\(old)`" + (old == new ? "" : " to `\(new)`")
    run = { database, stored, progress in
      guard let table = stored.table(old), stored.isOwned(old) else {
        throw StoreError(
          .migrationFailed, entity: old, reason: "the store has no entity `\(old)`")
      }
      let interim = ReservedName.oldTable(table.name)
      for object in stored.objects
      where object.isGenerated && isEqualIgnoringCase(object.table, table.name) {
        try database.execute(
          sql: "DROP \(object.kind.rawValue.uppercased()) \(quotedName(object.name))")
      }
      try withoutUpdatingReferences(database) {
        try database.execute(
          sql: "ALTER TABLE \(quotedName(table.name)) RENAME TO \(quotedName(interim))")
      }
      let newSchema = try Schema([New.self])
      try make(newSchema, unless: stored, replacing: table.name, database)
      let oldSchema = try Schema([Old.self]).redirecting(old, to: interim)

      var count = 0
      try SQLiteSession.run(on: database, SchemaStatements(oldSchema)) { reading in
        try SQLiteSession.run(on: database, SchemaStatements(newSchema)) { writing in
          let request = ModelRequest<Old>().batchSize(500)
          try StoreReader(session: reading).forEachBatch(of: request) { models in
            try StoreWriter(session: writing).save(models.compactMap(convert))
            count += models.count
            try progress(count)
          }
        }
      }
      try database.execute(sql: "DROP TABLE \(quotedName(interim))")
      let entities = quotedName(SchemaObject.entityTable.name)
      try database.execute(
        sql: "DELETE FROM \(entities) WHERE name = ?", arguments: [table.name])
      try database.execute(
        sql: "INSERT OR IGNORE INTO \(entities) VALUES (?)", arguments: [new])
    }
  }
}

/// Creates those tables of a schema that do not exist, and the replaced table.
private func make(
  _ schema: Schema, unless stored: StoredSchema, replacing replaced: String, _ database: Database
) throws {
  for object in schema.objects where object.kind == .table {
    if stored.object(.table, object.name) == nil || isEqualIgnoringCase(object.name, replaced) {
      try database.execute(sql: object.sql)
    }
  }
}

/// Runs statements that rename tables without updating the references to these
/// tables.
func withoutUpdatingReferences<Result>(
  _ database: Database, _ body: () throws -> Result
) throws -> Result {
  let before = try Bool.fetchOne(database, sql: "PRAGMA legacy_alter_table") ?? false
  try database.execute(sql: "PRAGMA legacy_alter_table = ON")
  defer {
    if !before { try? database.execute(sql: "PRAGMA legacy_alter_table = OFF") }
  }
  return try body()
}
