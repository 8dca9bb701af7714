import MohoRows

/// The parts of a PostgreSQL schema that are relevant for a store.
struct StoredSchema: Sendable, Hashable {
  /// The name of the PostgreSQL schema.
  var namespace: String
  /// The names of the entity tables that stores have created or adopted. The
  /// values state whether the table was adopted.
  var owned: [String: Bool] = [:]
  /// The names of the declared migrations that have been run.
  var migrations: Set<String> = []
  /// What the store records about the declarations that it was opened with.
  var record = StoreRecord()
  /// The tables that a store has created, and those with names of declared
  /// entities.
  var tables: [StoredTable] = []
  /// The names of views, foreign tables and other relations with names of
  /// declared tables.
  var otherRelations: [String: RelationKind] = [:]
  /// The views and rules that read columns of the tables.
  var dependents: [StoredDependent] = []
  /// The default values and checks in the form of the declaration and of the
  /// system catalog.
  var expressions: [StoredExpression.Key: StoredExpression] = [:]
  /// Whether parts have been renamed since the schema was read.
  var hasRenamings = false
  /// Whether the PostgreSQL schema has the table of the metadata.
  var hasMetadata = false
  /// Whether the PostgreSQL schema has a history.
  var hasHistory = false

  init(namespace: String) { self.namespace = namespace }

  func table(_ name: String) -> StoredTable? { tables.first { $0.name == name } }

  /// Whether a store has created or adopted the table. Names of link tables are
  /// reserved for stores.
  func isOwned(_ name: String) -> Bool { name.hasPrefix("_moho_") || owned[name] != nil }

  /// Whether a store has adopted the table, which can have additional columns,
  /// constraints and indexes.
  func isAdopted(_ name: String) -> Bool { owned[name] ?? !isOwned(name) }

  /// Whether no store has used the PostgreSQL schema yet, and no existing
  /// relation has the name of an entity.
  var isNew: Bool {
    owned.isEmpty && migrations.isEmpty && tables.isEmpty && otherRelations.isEmpty
  }

  /// Whether a default value or a check in the system catalog is the declared
  /// one.
  func isEqual(_ key: StoredExpression.Key, _ declared: String?, _ stored: String?) -> Bool {
    guard let declared, let stored else { return declared == nil && stored == nil }
    let known = expressions[key]
    return known?.declared == declared && known?.stored == stored
  }
}

/// The kinds of relations that are not tables. The raw values are those of the
/// column `relkind`.
enum RelationKind: String, Sendable {
  case view = "v"
  case materializedView = "m"
  case foreignTable = "f"
  case sequence = "S"
  case compositeType = "c"
  case index = "i"
  case partitionedIndex = "I"

  var description: String {
    switch self {
    case .view: "view"
    case .materializedView: "materialized view"
    case .foreignTable: "foreign table"
    case .sequence: "sequence"
    case .compositeType: "type"
    case .index, .partitionedIndex: "index"
    }
  }
}

struct StoredTable: Sendable, Hashable {
  var name: String
  /// The name in the database until the renaming steps have run.
  var storedName: String
  var columns: [StoredColumn] = []
  var primaryKey: StoredKey?
  var uniqueKeys: [StoredKey] = []
  var checks: [StoredCheck] = []
  var references: [StoredForeignKey] = []
  /// The indexes that do not belong to a unique key.
  var indexes: [StoredIndex] = []
  var searchIndex: StoredSearchIndex?
  var deleteTriggers: [StoredTrigger] = []
  /// The triggers that a renaming has dropped, with their new names.
  var renamedTriggers: [StoredTrigger] = []
  var isEmpty = false

  init(_ name: String) {
    self.name = name
    storedName = name
  }

  func column(_ name: String) -> StoredColumn? { columns.first { $0.name == name } }

  /// The column that identifies the rows.
  var identityColumn: String? {
    primaryKey.flatMap { $0.columns.count == 1 ? $0.columns[0] : nil }
  }

  /// The entity and the relationship whose links the table stores, or nil if it
  /// is not a link table.
  var links: (entity: String, relationship: String)? {
    let source = references.first { $0.columns == [LinkTable.column(.source)] }
    guard let source, column(LinkTable.column(.target)) != nil else { return nil }
    return ReservedName.relationship(ofLinkTable: name, in: source.table).map {
      (source.table, $0)
    }
  }
}

struct StoredColumn: Sendable, Hashable {
  var name: String
  /// The name in the database until the renaming steps have run, or nil if a declared step
  /// creates the column.
  var storedName: String?
  /// The name of the type, with modifiers and the collation.
  var type: String
  var isRequired: Bool
  /// The default value in the form of the system catalog.
  var defaultValue: String?
  /// Whether PostgreSQL generates values that no statement gives.
  var isIdentity: Bool
  /// Whether the column is computed from other columns.
  var isComputed: Bool
}

/// A primary key or a unique key.
struct StoredKey: Sendable, Hashable {
  var name: String
  var columns: [String]
  /// The unique index, or nil for a constraint.
  var index: StoredIndex?
}

struct StoredCheck: Sendable, Hashable {
  var name: String
  /// The constraint in the form of the system catalog.
  var definition: String
}

struct StoredForeignKey: Sendable, Hashable {
  var name: String
  var columns: [String]
  var table: String
  var action: String
  /// Whether the foreign key is checked at the end of a transaction, follows
  /// changed identities, and has been validated.
  var isComplete: Bool
}

struct StoredIndex: Sendable, Hashable {
  var name: String
  var columns: [IndexColumn]
  /// Whether the index is a valid B-tree of columns in ascending order, and
  /// contains all rows.
  var isPlain: Bool
}

/// The trigger of a delete rule.
struct StoredTrigger: Sendable, Hashable {
  var name: String
  var function: String
  var body: String
  /// Whether the trigger runs before the deletion.
  var isBefore: Bool
  var isEnabled: Bool
}

/// A view or another object that reads a column.
struct StoredDependent: Sendable, Hashable {
  let name: String
  let table: String
  /// The column, or nil if the object reads the whole table.
  let column: String?
}

/// A default value or a check, whose text the system catalog does not store.
struct StoredExpression: Sendable, Hashable {
  enum Kind: String, Sendable { case check, `default` }

  struct Key: Sendable, Hashable {
    let kind: Kind
    let table: String
    let column: String
  }

  let declared: String
  /// The expression in the form of the system catalog.
  let stored: String
}
