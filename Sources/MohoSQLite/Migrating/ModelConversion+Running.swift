import GRDB
import MohoMapping
import MohoRows

extension ModelConversion {
  func run(
    _ database: Database, _ stored: StoredSchema, _ progress: (Int) throws -> Void
  ) throws {
    guard let table = stored.table(oldEntity), stored.isOwned(oldEntity) else {
      throw StoreError.missingEntity(oldEntity)
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
    let schemas = try schemas(readingFrom: interim)
    let new = try schemas.new.withoutUnsignedIntegersAndUUIDs()
    try make(new, unless: stored, replacing: table.name, database)
    try SQLiteSession.run(on: database, SchemaStatements(schemas.old)) { reading in
      try SQLiteSession.run(on: database, SchemaStatements(new)) { writing in
        try convert(reading: reading, writing: writing, progress: progress)
      }
    }
    try database.execute(sql: "DROP TABLE \(quotedName(interim))")
    let entities = quotedName(SchemaObject.entityTable.name)
    try database.execute(sql: "DELETE FROM \(entities) WHERE name = ?", arguments: [table.name])
    try database.execute(
      sql: "INSERT OR IGNORE INTO \(entities) VALUES (?)", arguments: [newEntity])
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
