import MohoRows

/// The parts of a database's schema that are relevant for a store.
struct StoredSchema: Sendable, Hashable {
  /// All tables, views, indexes and triggers, except those of the history.
  var objects: [SchemaObject] = []
  /// The tables, indexes and triggers of the history.
  var history: [SchemaObject] = []
  /// The names of the entity tables that a store has created.
  var owned: Set<String> = []
  /// The names of the declared migrations that have been run.
  var migrations: Set<String> = []
  /// What the store records about the declarations that it was opened with.
  var record = StoreRecord()
  /// The tables that a store has created, and those with names of declared
  /// entities.
  var tables: [StoredTable] = []

  func table(_ name: String) -> StoredTable? { tables.first { isEqualIgnoringCase($0.name, name) } }

  func object(_ kind: SchemaObject.Kind, _ name: String) -> SchemaObject? {
    let name = folded(name)
    return objects.first { $0.kind == kind && folded($0.name) == name }
  }

  /// Whether a store has created the table. Names of link tables are reserved
  /// for stores.
  func isOwned(_ name: String) -> Bool {
    folded(name).starts(with: folded("_moho_")) || owned.contains { isEqualIgnoringCase($0, name) }
  }

  /// Whether no store has used the database yet, and no existing table or view
  /// has the name of an entity.
  func isNew(to schema: Schema) -> Bool {
    owned.isEmpty && migrations.isEmpty
      && schema.entities.allSatisfy {
        object(.table, $0.name) == nil && object(.view, $0.name) == nil
      }
  }
}

struct StoredTable: Sendable, Hashable {
  var name: String
  /// The name in the database until the renaming steps have run.
  var storedName: String
  var sql: String
  /// Whether the table or a column is renamed. Its indexes and triggers are
  /// created again.
  var isRenamed = false
  var columns: [StoredColumn]
  var references: [StoredReference]
  /// The columns of each unique constraint.
  var uniqueKeys: [[String]]
  var isEmpty: Bool

  func column(_ name: String) -> StoredColumn? {
    columns.first { isEqualIgnoringCase($0.name, name) }
  }

  /// The column that identifies the rows.
  var identityColumn: String { columns.first(where: \.isIdentity)?.name ?? "rowid" }

  /// The column that identifies the rows until the renaming steps have run.
  var storedIdentityColumn: String { columns.first(where: \.isIdentity)?.storedName ?? "rowid" }

  /// The column with the values of a key: those that a declared step has transformed, or
  /// those of its own column.
  func valueColumn(of key: String) -> StoredColumn? {
    column(ReservedName.interimColumn(key)) ?? column(key)
  }
}

struct StoredColumn: Sendable, Hashable {
  var name: String
  /// The name in the database until the renaming steps have run, or nil if a declared step
  /// creates the column.
  var storedName: String?
  let type: String
  let isRequired: Bool
  /// The default value as an SQL literal.
  let defaultValue: String?
  let isIdentity: Bool
}

extension SchemaObject {
  /// The tables that store the metadata of a store.
  static let bookkeeping = [entityTable, migrationTable, recordTable]

  /// The table of the entity tables that a store has created. It distinguishes
  /// them from other tables.
  static let entityTable = SchemaObject(
    kind: .table, name: "_moho_entities", table: "_moho_entities",
    sql: #"CREATE TABLE "_moho_entities" (name TEXT PRIMARY KEY) STRICT"#)

  /// The table of the declared migrations that have been run.
  static let migrationTable = SchemaObject(
    kind: .table, name: "_moho_migrations", table: "_moho_migrations",
    sql: #"CREATE TABLE "_moho_migrations" (name TEXT PRIMARY KEY) STRICT"#)

  /// The table of the store's record. Because of the space in its name, older versions
  /// of this package ignore it.
  static let recordTable = SchemaObject(
    kind: .table, name: "_moho record", table: "_moho record",
    sql: #"CREATE TABLE "_moho record" (kind TEXT, name TEXT, key TEXT, value TEXT NOT NULL,"#
      + " PRIMARY KEY (kind, name, key)) STRICT")

  /// Whether the object is an index or a trigger that a store has created.
  var isGenerated: Bool {
    switch kind {
    case .index:
      name.hasPrefix("\(table)(")
        && sql.hasPrefix("CREATE INDEX \(quotedName(name)) ON \(quotedName(table)) (")
    case .trigger: name.hasPrefix("_moho_") || isPartOfSearch
    case .table, .view: false
    }
  }
}
