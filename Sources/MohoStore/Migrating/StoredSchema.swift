/// What a database holds, as far as a store is concerned with it.
struct StoredSchema: Sendable, Hashable {
  /// All tables, views, indexes and triggers.
  var objects: [SchemaObject] = []
  /// The tables that a store has made.
  var owned: Set<String> = []
  /// The names of the declared migrations that have been run.
  var migrations: Set<String> = []
  /// The tables of stores, and those with names of the schema's.
  var tables: [StoredTable] = []

  func table(_ name: String) -> StoredTable? { tables.first { isSameName($0.name, name) } }

  func object(_ kind: SchemaObject.Kind, _ name: String) -> SchemaObject? {
    let name = folded(name)
    return objects.first { $0.kind == kind && folded($0.name) == name }
  }

  /// Whether a store has made the table; tables of links have names that are
  /// reserved for that.
  func isOwned(_ name: String) -> Bool {
    folded(name).starts(with: folded("_moho_")) || owned.contains { isSameName($0, name) }
  }

  /// Whether no store has ever been here, nor anything that has the name of one
  /// of a schema's tables.
  func isNew(to schema: Schema) -> Bool {
    owned.isEmpty && migrations.isEmpty
      && schema.entities.allSatisfy {
        object(.table, $0.name) == nil && object(.view, $0.name) == nil
      }
  }
}

/// A table that is in a database.
struct StoredTable: Sendable, Hashable {
  var name: String
  var sql: String
  var columns: [StoredColumn]
  var references: [StoredReference]
  /// The columns of each unique constraint.
  var uniqueKeys: [[String]]
  var isEmpty: Bool

  func column(_ name: String) -> StoredColumn? { columns.first { isSameName($0.name, name) } }

  /// The column that tells rows apart.
  var identityColumn: String { columns.first(where: \.isIdentity)?.name ?? "rowid" }
}

/// A column of a table that is in a database.
struct StoredColumn: Sendable, Hashable {
  var name: String
  let type: String
  let isRequired: Bool
  /// The default as SQL spells it.
  let defaultValue: String?
  let isIdentity: Bool
}

/// A foreign key of a table that is in a database.
struct StoredReference: Sendable, Hashable {
  var column: String
  var table: String
  let action: String
}

extension SchemaObject {
  /// The tables in which a store keeps what it knows of itself.
  static let bookkeeping = [entityTable, migrationTable]

  /// The names of the tables that a store has made, which tell them from other
  /// tables.
  static let entityTable = SchemaObject(
    kind: .table, name: "_moho_entities", table: "_moho_entities",
    sql: #"CREATE TABLE "_moho_entities" (name TEXT PRIMARY KEY) STRICT"#)

  /// The names of the declared migrations that have been run.
  static let migrationTable = SchemaObject(
    kind: .table, name: "_moho_migrations", table: "_moho_migrations",
    sql: #"CREATE TABLE "_moho_migrations" (name TEXT PRIMARY KEY) STRICT"#)

  /// Whether it is an index or a trigger as stores make them.
  var isMade: Bool {
    switch kind {
    case .index:
      name.hasPrefix("\(table)(")
        && sql.hasPrefix("CREATE INDEX \(quoted(name)) ON \(quoted(table)) (")
    case .trigger: name.hasPrefix("_moho_")
    case .table, .view: false
    }
  }
}

/// Names of what is there during a migration alone. No table of links has such
/// a name, behind whose beginning comes an underscore.
enum InterimName {
  static func table(_ name: String) -> String { "_moho new \(name)" }
  static func oldTable(_ name: String) -> String { "_moho old \(name)" }
  /// The column with what a declared step has made of a key's values.
  static func column(_ key: String) -> String { "_moho new \(key)" }
  static func isColumn(_ name: String) -> Bool { name.hasPrefix("_moho new ") }
}
