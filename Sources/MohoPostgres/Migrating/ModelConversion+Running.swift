import MohoRows

extension ModelConversion {
  func run(
    _ connection: PostgresConnection, _ stored: StoredSchema, _ progress: (Int) throws -> Void
  ) throws {
    guard let table = stored.table(oldEntity), stored.isOwned(oldEntity) else {
      throw StoreError.missingEntity(oldEntity)
    }
    let interim = ReservedName.oldTable(table.name)
    try moveAside(table, to: interim, connection, stored)
    let schemas = try schemas(readingFrom: interim)
    for definition in schemas.new.postgresTables
    where stored.table(definition.name) == nil || definition.name == table.name {
      try connection.execute(definition.creation())
      // Saving models finds their rows by unique keys.
      for index in definition.uniqueIndexes { try connection.execute(index.creation) }
    }
    try PostgresSession.run(on: connection, schemas.old) { reading in
      try PostgresSession.run(on: connection, schemas.new) { writing in
        try convert(reading: reading, writing: writing, progress: progress)
      }
    }
    try connection.execute("DROP TABLE \(quotedName(interim))")
    var old = PostgresArguments()
    try old.append([table.name])
    var new = PostgresArguments()
    try new.append([newEntity])
    try new.append([String]())
    try connection.queries([
      PostgresQuery(Metadata.removal, old), PostgresQuery(Metadata.addition, new),
    ])
  }

  /// Renames the table, its constraints and its indexes, and drops the foreign
  /// keys that refer to it. The end of the migration creates them again.
  private func moveAside(
    _ table: StoredTable, to interim: String, _ connection: PostgresConnection,
    _ stored: StoredSchema
  ) throws {
    let name = quotedName(table.name)
    var sql: [String] = []
    for other in stored.tables {
      for reference in other.references where reference.table == table.name {
        sql.append(
          "ALTER TABLE \(quotedName(other.name)) DROP CONSTRAINT \(quotedName(reference.name))")
      }
    }
    for trigger in table.deleteTriggers {
      sql += trigger.removal(from: table.name, in: stored.namespace)
    }
    for index in table.indexes where index.isGenerated(for: table.name) {
      sql.append("DROP INDEX \(qualifiedName(index.name, in: stored.namespace))")
    }
    let keys = [table.primaryKey].compactMap { $0 } + table.uniqueKeys
    for (index, key) in keys.enumerated() {
      sql.append(
        "ALTER INDEX \(quotedName(key.name)) RENAME TO \(quotedName("_moho old key \(index)"))")
    }
    sql.append("ALTER TABLE \(name) RENAME TO \(quotedName(interim))")
    for sql in sql { try connection.execute(sql) }
  }
}
