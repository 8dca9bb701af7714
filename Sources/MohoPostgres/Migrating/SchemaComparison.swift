import MohoMapping
import MohoRows

/// The differences between a PostgreSQL schema and the declarations, and the
/// steps to resolve them.
///
/// The comparison is a pure function of its arguments. It does not access the
/// database.
struct SchemaComparison: ComparedSchema {
  private(set) var differences: [SchemaDifference] = []
  private(set) var refusals: [(difference: SchemaDifference, advice: String)] = []
  private(set) var discards: [(part: SchemaPart, count: String)] = []
  /// The steps that rename parts. They must run first.
  private(set) var renames: [MigrationStep] = []
  private var changes = TableChanges()
  private var created: Set<String> = []
  private var dropped: [(table: String, part: SchemaPart)] = []

  let schema: Schema
  private var stored: StoredSchema
  private let discarded: Set<SchemaPart>
  private let adopts: Bool

  /// - Parameters:
  ///   - stored: The stored schema.
  ///   - schema: The declared schema.
  ///   - renamings: The declared renamings.
  ///   - discarded: The parts that may be deleted.
  ///   - adopts: Whether tables that no store has created may be changed.
  init(
    _ stored: StoredSchema, _ schema: Schema, renamings: [Renaming] = [],
    discarding discarded: Set<SchemaPart> = [], adopts: Bool = false
  ) {
    self.schema = schema
    self.stored = stored
    self.discarded = discarded
    self.adopts = adopts
    for renaming in renamings { rename(renaming) }
    let definitions = schema.postgresTables
    for definition in definitions { compare(definition) }
    compareForms(definitions)
    compareRemoved(definitions)
  }

  /// Compares the forms of the values of those columns that keep their type.
  private mutating func compareForms(_ definitions: [TableDefinition]) {
    let found = schema.formDifferences(stored.record) { part in
      let definition = definitions.first { $0.name == part.entity }?.columns
        .first { $0.name == part.key }
      let column = stored.table(part.entity)?.column(part.key ?? "")
      return column != nil && column?.type == definition?.type
    }
    differences += found.map(\.difference)
    refusals += found.filter { stored.table($0.difference.entity)?.isEmpty == false }
  }

  /// The record after the renaming steps.
  var record: StoreRecord { stored.record }

  func valueColumn(of key: String, in entity: String) -> String? {
    stored.table(entity)?.column(key)?.name
  }

  /// Whether the stored schema matches the declarations, except for entities
  /// that are no longer declared.
  var isPrepared: Bool { steps.isEmpty && refusals.isEmpty }

  var steps: [MigrationStep] {
    var steps = renames + changes.searchDrops
    if !changes.drops.isEmpty {
      steps.append(MigrationStep("drop indexes, keys and delete rules", changes.drops))
    }
    steps += changes.steps
    if !dropped.isEmpty {
      // A single statement drops tables that refer to each other.
      let tables = dropped.map { quotedName($0.table) }.joined(separator: ", ")
      let parts = dropped.map { "\($0.part)" }.joined(separator: ", ")
      steps.append(MigrationStep("drop \(parts)", ["DROP TABLE \(tables)"] + changes.removals))
    }
    if !changes.additions.isEmpty {
      steps.append(
        MigrationStep("create indexes, keys and delete rules", changes.additions))
    }
    return steps + changes.searchBuilds
  }

  /// Whether the steps build full-text indexes, which needs the functions of searches.
  var buildsSearchIndexes: Bool { !changes.searchBuilds.isEmpty }

  /// The names of the entities whose tables are dropped.
  var droppedEntities: [String] { dropped.filter { $0.part.key == nil }.map(\.table) }

  private mutating func rename(_ renaming: Renaming) {
    guard schema.canApply(renaming), let step = stored.rename(renaming) else { return }
    let part = renaming.part
    differences.append(
      SchemaDifference(part.entity, part.key, .renamed(from: renaming.oldName)))
    renames.append(step)
  }

  private mutating func compare(_ definition: TableDefinition) {
    let part = SchemaPart(entity: definition.entity, key: definition.relationship)
    guard let table = stored.table(definition.name) else {
      let difference = SchemaDifference(definition.entity, definition.relationship, .added)
      differences.append(difference)
      if let kind = stored.otherRelations[definition.name] {
        return refuse(
          [difference],
          "use another PostgreSQL schema, or rename the \(kind.description) `\(definition.name)`")
      }
      if let reason = reasonAgainstMovingLinks(definition) {
        return refuse([difference], reason)
      }
      let summary = definition.relationship == nil ? "create the entity" : "create the links of"
      created.insert(definition.name)
      let references = definition.columns.compactMap(\.reference)
      let foreignKeys = references.filter { created.contains($0.table) }
      changes.steps.append(
        MigrationStep(
          "\(summary) \(part)", [definition.creation(foreignKeys.map(schema.constraint))]))
      changes.additions += references.filter { !created.contains($0.table) }
        .map { schema.addition(of: $0, to: definition.name) }
      changes.addIndexes(of: definition, schema, in: stored.namespace)
      return
    }
    let comparison = TableComparison(table, definition, stored, schema)
    differences += comparison.differences
    if comparison.isEmpty { return }
    guard stored.isOwned(table.name) || adopts else {
      return refuse(comparison.differences, Self.foreignAdvice)
    }
    refusals += comparison.refusals
    discards += comparison.discards
    changes.append(comparison.changes)
  }

  /// The advice for a table that was not created by a store.
  static let foreignAdvice =
    "change the table, use another PostgreSQL schema,"
    + " or allow the change by `adoptsExistingTables`"

  private func reasonAgainstMovingLinks(_ definition: TableDefinition) -> String? {
    definition.reasonAgainstMovingLinks(discarding: discarded) { relationship in
      let table = stored.table(definition.entity)
      return table.map { $0.column(relationship) != nil && !$0.isEmpty } ?? false
    }
  }

  private mutating func refuse(_ differences: [SchemaDifference], _ advice: String) {
    refusals += differences.map { ($0, advice) }
  }

  /// Compares the tables of a store that are no longer declared. The tables of
  /// entities are left unchanged, with their links, unless they may be
  /// discarded. The link tables of declared entities are dropped.
  private mutating func compareRemoved(_ definitions: [TableDefinition]) {
    let declared = Set(definitions.map(\.name))
    for table in stored.tables where !declared.contains(table.name) {
      guard stored.owned[table.name] != nil else { continue }
      let part = SchemaPart.entity(table.name)
      differences.append(SchemaDifference(table.name, nil, .removed))
      if discarded.contains(part) { drop(table, part) }
    }
    let removed = Set(dropped.map(\.table))
    for table in stored.tables where !declared.contains(table.name) {
      guard let (entity, relationship) = table.links else { continue }
      let part = SchemaPart.key(relationship, of: entity)
      if table.references.contains(where: { removed.contains($0.table) }) {
        drop(table, part)
      } else if schema.entity(entity) != nil {
        differences.append(SchemaDifference(entity, relationship, .removed))
        discards.append((part, "SELECT count(*) FROM \(quotedName(table.storedName))"))
        drop(table, part)
      }
    }
  }

  private mutating func drop(_ table: StoredTable, _ part: SchemaPart) {
    if let view = stored.dependents.first(where: { $0.table == table.name }) {
      refuse([SchemaDifference(part.entity, part.key, .removed)], view.advice)
      return
    }
    dropped.append((table.name, part))
    let functions =
      [LogName.function(of: table.name), LogName.transactionFunction(of: table.name)]
      + table.deleteTriggers.map(\.function)
    for function in functions {
      changes.removals.append(
        "DROP FUNCTION IF EXISTS \(qualifiedName(function, in: stored.namespace))()")
    }
  }
}

extension StoredDependent {
  var advice: String {
    "drop the view `\(name)`, which reads `\(table)\(column.map { ".\($0)" } ?? "")`,"
      + " and create it again after the migration"
  }
}

/// Statements that change tables, in groups that run one after the other.
struct TableChanges {
  /// Statements that drop constraints, indexes and triggers.
  var drops: [String] = []
  /// The steps that create and change tables.
  var steps: [MigrationStep] = []
  /// Statements that run after tables have been dropped.
  var removals: [String] = []
  /// Statements that add constraints, indexes and triggers.
  var additions: [String] = []
  /// The steps that drop and build full-text indexes.
  var searchDrops: [MigrationStep] = []
  var searchBuilds: [MigrationStep] = []

  mutating func append(_ other: TableChanges) {
    drops += other.drops
    steps += other.steps
    removals += other.removals
    additions += other.additions
    searchDrops += other.searchDrops
    searchBuilds += other.searchBuilds
  }

  /// Adds the indexes and triggers of a table that is created.
  mutating func addIndexes(
    of definition: TableDefinition, _ schema: Schema, in namespace: String
  ) {
    additions += (definition.uniqueIndexes + schema.indexes(of: definition)).map(\.creation)
    additions += schema.compiled.deleteTriggers(in: namespace)
      .filter { $0.table == definition.name }.flatMap { $0.statements(in: namespace) }
    if definition.relationship == nil, let index = schema.searchIndex(of: definition.entity) {
      searchBuilds.append(index.building)
    }
  }
}
