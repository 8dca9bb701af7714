import MohoMapping
import MohoRows

/// The differences between a database and a schema, and the steps to resolve
/// them.
///
/// The comparison is a pure function of its arguments. It does not access the
/// database.
struct SchemaComparison: ComparedSchema {
  private(set) var differences: [SchemaDifference] = []
  private(set) var refusals: [(difference: SchemaDifference, advice: String)] = []
  private(set) var discards: [(part: SchemaPart, count: String)] = []
  private(set) var steps: [MigrationStep] = []

  /// The advice for a table that was not created by a store.
  static let foreignAdvice =
    "open another file, or use the version of the program that created it"

  private let schema: Schema
  private var stored: StoredSchema
  private let discarded: Set<SchemaPart>
  /// The tables that are rebuilt. Rebuilding a table drops its indexes and
  /// triggers.
  private var rebuilt: Set<[UInt8]> = []
  private var recreated: [SchemaObject] = []

  /// - Parameters:
  ///   - stored: The schema of the database, including its tables.
  ///   - schema: The declared schema.
  ///   - renamings: The declared renamings.
  ///   - discarded: The parts that may be deleted.
  init(
    _ stored: StoredSchema, _ schema: Schema, renamings: [Renaming] = [],
    discarding discarded: Set<SchemaPart> = []
  ) {
    self.schema = schema
    self.stored = stored
    self.discarded = discarded
    for renaming in renamings { rename(renaming) }
    let definitions = schema.tableDefinitions
    for definition in definitions { compare(definition) }
    compareForms(definitions)
    compareRemoved(definitions)
    compareIndexesAndTriggers(definitions)
    compareSearchIndexes()
  }

  private mutating func rename(_ renaming: Renaming) {
    guard schema.canApply(renaming), let step = stored.rename(renaming) else { return }
    let part = renaming.part
    differences.append(
      SchemaDifference(part.entity, part.key, .renamed(from: renaming.oldName)))
    steps.append(step)
  }

  private mutating func compare(_ definition: TableDefinition) {
    guard let table = stored.table(definition.name) else {
      let difference = SchemaDifference(definition.entity, definition.relationship, .added)
      differences.append(difference)
      if stored.object(.view, definition.name) != nil {
        return refuse([difference], "open another file, or rename the view `\(definition.name)`")
      }
      if let reason = reasonAgainstMovingLinks(definition) {
        return refuse([difference], reason)
      }
      let summary = definition.relationship == nil ? "create the entity" : "create the links of"
      steps.append(MigrationStep("\(summary) \(difference.part)", [definition.object.sql]))
      return
    }
    guard table.name != definition.name || table.sql != definition.object.sql else { return }
    let rebuild = TableRebuild(table, definition, isOwned: stored.isOwned(table.name), schema)
    differences += rebuild.differences
    guard stored.isOwned(table.name) else {
      return refuse(
        rebuild.differences, Self.foreignAdvice)
    }
    refusals += rebuild.refusals
    discards += rebuild.discards
    rebuilt.insert(folded(table.name))
    recreated += stored.objects.filter {
      isEqualIgnoringCase($0.table, table.name) && ($0.kind == .index || $0.kind == .trigger)
        && !$0.isGenerated
    }
    steps.append(rebuild.step)
  }

  /// Compares the forms of the values of those columns that keep their type.
  private mutating func compareForms(_ definitions: [TableDefinition]) {
    let found = schema.formDifferences(stored.record) { part in
      let definition = definitions.first { $0.name == part.entity }?.columns
        .first { $0.name == part.key }
      let column = stored.table(part.entity)?.column(part.key ?? "")
      return column.map { isEqualIgnoringCase($0.type, definition?.type ?? "") } ?? false
    }
    differences += found.map(\.difference)
    refusals += found.filter { stored.table($0.difference.entity)?.isEmpty == false }
  }

  /// The record after the renaming steps.
  var record: StoreRecord { stored.record }

  func valueColumn(of key: String, in entity: String) -> String? {
    stored.table(entity)?.valueColumn(of: key)?.name
  }

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
    let declared = Set(definitions.map { folded($0.name) })
    var dropped: [String] = []
    for table in stored.tables where !declared.contains(folded(table.name)) {
      guard stored.owned.contains(where: { isEqualIgnoringCase($0, table.name) }) else { continue }
      let part = SchemaPart.entity(table.name)
      differences.append(SchemaDifference(table.name, nil, .removed))
      if discarded.contains(part) {
        dropped.append(table.name)
        drop(table.name, part, "drop the entity")
      }
    }
    for table in stored.tables where !declared.contains(folded(table.name)) {
      guard let (entity, relationship) = table.links else { continue }
      let part = SchemaPart.key(relationship, of: entity)
      let isOfDropped = table.references.contains { reference in
        dropped.contains { isEqualIgnoringCase($0, reference.table) }
      }
      if isOfDropped {
        drop(table.name, part, "drop the links of")
      } else if schema.entity(entity) != nil {
        differences.append(SchemaDifference(entity, relationship, .removed))
        discards.append((part, "SELECT count(*) FROM \(quotedName(table.storedName))"))
        drop(table.name, part, "drop the links of")
      }
    }
  }

  private mutating func drop(_ table: String, _ part: SchemaPart, _ summary: String) {
    rebuilt.insert(folded(table))
    var sql = ["DROP TABLE \(quotedName(table))"]
    if part.key == nil {
      sql.append(
        "DELETE FROM \(quotedName(SchemaObject.entityTable.name)) WHERE name = "
          + FieldContent.string(table).literal)
    }
    steps.append(MigrationStep("\(summary) \(part)", sql))
  }

  /// Compares indexes and triggers. A rebuilt table has neither.
  private mutating func compareIndexesAndTriggers(_ definitions: [TableDefinition]) {
    let refused = Set(refusals.map { folded($0.difference.entity) })
    let declared = Set(definitions.map { folded($0.name) })
    let expected = schema.objects.filter { $0.kind != .table }
    let names = Set(expected.map { folded($0.name) })
    var (drops, makes): ([SchemaObject], [SchemaObject]) = ([], [])
    for object in stored.objects
    where object.isGenerated && declared.contains(folded(object.table))
      && !names.contains(folded(object.name)) && !object.isPartOfSearch
    {
      if !rebuilt.contains(folded(object.table)) { drops.append(object) }
      differences.append(object.difference(isAdded: false))
    }
    for object in expected where !refused.contains(folded(object.table)) {
      let found = stored.object(object.kind, object.name)
      let isGone = rebuilt.contains(folded(object.table))
      if found?.sql == object.sql, !isGone { continue }
      if let found, !isGone { drops.append(found) }
      makes.append(object)
      guard found?.sql != object.sql, let table = stored.table(object.table), !table.isRenamed
      else { continue }
      differences.append(object.difference(isAdded: true))
    }
    let dropping = drops.map { "DROP \($0.kind.rawValue.uppercased()) \(quotedName($0.name))" }
    // Drop triggers before the tables change. A trigger that refers to a
    // dropped table is an error.
    if !dropping.isEmpty {
      steps.insert(MigrationStep("drop indexes and delete rules", dropping), at: renameCount)
    }
    let making = (makes + recreated).sorted { $0.kind.creationOrder < $1.kind.creationOrder }.map(
      \.sql)
    if !making.isEmpty { steps.append(MigrationStep("create indexes and delete rules", making)) }
  }

  /// Compares full-text indexes. They are dropped before the tables change, and
  /// built after that.
  private mutating func compareSearchIndexes() {
    let refused = Set(refusals.map { folded($0.difference.entity) })
    let indexes = SearchIndexComparison(stored, schema, replaced: rebuilt, refused: refused)
    differences += indexes.differences
    steps.insert(contentsOf: indexes.drops, at: renameCount)
    steps += indexes.builds
  }

  private var renameCount: Int { steps.prefix { $0.renames }.count }
}

extension SchemaObject {
  /// The difference for an index or a trigger that only the schema or only the
  /// store has.
  fileprivate func difference(isAdded: Bool) -> SchemaDifference {
    kind == .index
      ? SchemaDifference(table, nil, isAdded ? .addedIndex(name) : .removedIndex(name))
      : SchemaDifference(
        table, ReservedName.relationship(ofDeleteTrigger: name, in: table), .deleteRule)
  }
}

extension StoredTable {
  /// The entity and the relationship whose links the table stores, or nil if it
  /// is not a link table.
  var links: (entity: String, relationship: String)? {
    let source = references.first { $0.column == LinkTable.column(.source) }
    guard let source, column(LinkTable.column(.target)) != nil else { return nil }
    return ReservedName.relationship(ofLinkTable: name, in: source.table)
      .map { (source.table, $0) }
  }
}
