import GRDB
import MohoRows

extension Migrator {
  /// Records the declarations.
  ///
  /// - Parameter stored: The schema with the former record.
  func recordDeclarations(over stored: StoredSchema, _ database: Database) throws {
    let changes = version.updating(stored.record).changes(from: stored.record)
    if changes.deleted.isEmpty, changes.inserted.isEmpty { return }
    let table = SchemaObject.recordTable
    if stored.object(.table, table.name) == nil { try database.execute(sql: table.sql) }
    for subject in changes.deleted {
      try database.execute(
        sql: "DELETE FROM \(quotedName(table.name)) WHERE kind = ? AND name = ? AND key = ?",
        arguments: [subject.kind.rawValue, subject.name, subject.key])
    }
    for (subject, value) in changes.inserted {
      try database.execute(
        sql: "INSERT INTO \(quotedName(table.name)) VALUES (?, ?, ?, ?)",
        arguments: [subject.kind.rawValue, subject.name, subject.key, value])
    }
  }

  /// Applies the policy for rows that break rules, if the declarations have changed.
  ///
  /// - Parameter stored: The schema with the former record.
  func applyRules(_ database: Database, since stored: StoredSchema) throws {
    guard configuration.rulePolicy.checks, !isRecorded(stored) else { return }
    try SQLiteSession.run(on: database, SchemaStatements(schema)) {
      try configuration.rulePolicy.apply(StoreWriter(session: $0))
    }
  }
}
