import GRDB
import MohoMapping
import MohoRows

/// The full-text indexes of a database that must be dropped or built.
struct SearchIndexComparison {
  private(set) var differences: [SchemaDifference] = []
  private(set) var drops: [MigrationStep] = []
  private(set) var builds: [MigrationStep] = []

  /// - Parameters:
  ///   - replaced: The tables that are rebuilt or dropped, in the form that
  ///     SQLite compares.
  ///   - refused: The entities whose tables cannot be migrated.
  init(
    _ stored: StoredSchema, _ schema: Schema, replaced: Set<[UInt8]>, refused: Set<[UInt8]>
  ) {
    let expected = schema.compiled.searchIndexes
    for entity in stored.searchedEntities {
      let index = expected.first { isEqualIgnoringCase($0.entity, entity) }
      let isReplaced = replaced.contains(folded(entity))
      if let index, !isReplaced, index.isIn(stored) { continue }
      let isDeclared = schema.entities.contains { isEqualIgnoringCase($0.name, entity) }
      // The table of an entity that is no longer declared is left unchanged.
      if !isDeclared, stored.table(entity) != nil, !isReplaced { continue }
      drops.append(stored.removal(ofIndexOf: entity))
      if index == nil, isDeclared {
        differences.append(SchemaDifference(entity, nil, .removedSearchIndex))
      }
    }
    for index in expected where !refused.contains(folded(index.entity)) {
      let isReplaced = replaced.contains(folded(index.entity))
      if index.isIn(stored), !isReplaced { continue }
      let table = stored.table(index.entity)
      builds.append(
        MigrationStep(
          "build the search index of `\(index.entity)`",
          index.objects.map(\.sql) + (table == nil ? [] : [index.filling])))
      if let table, !table.isRenamed, !index.isIn(stored) {
        differences.append(SchemaDifference(index.entity, nil, .addedSearchIndex(index.keys)))
      }
    }
  }
}

extension SearchIndex {
  /// Whether a database has the index, in its current form.
  fileprivate func isIn(_ stored: StoredSchema) -> Bool {
    objects.allSatisfy(stored.objects.contains)
  }
}

extension StoredSchema {
  /// The steps that drop all full-text indexes.
  ///
  /// Declared migrations may change tables in ways that the triggers of an index
  /// do not allow. The indexes are built again after them.
  var searchRemovals: [MigrationStep] { searchedEntities.map(removal(ofIndexOf:)) }

  /// The entities that have a full-text index, or a part of it.
  fileprivate var searchedEntities: [String] {
    var entities: [String] = []
    for entity in objects.compactMap(\.searchedEntity) where !entities.contains(entity) {
      entities.append(entity)
    }
    return entities
  }

  fileprivate func removal(ofIndexOf entity: String) -> MigrationStep {
    let triggers = objects.filter {
      $0.kind == .trigger && $0.name.hasPrefix("\(ReservedName.searchTable(of: entity)) ")
    }
    let tables = objects.filter { $0.searchedEntity == entity }
    return MigrationStep(
      "drop the search index of `\(entity)`",
      (triggers + tables).map { "DROP \($0.kind.rawValue.uppercased()) \(quotedName($0.name))" })
  }
}

extension Schema {
  /// Checks that a connection can search, if there are searchable keys.
  ///
  /// - Throws: A `StoreError` with the code `searchUnavailable`.
  func checkSearch(_ database: Database) throws {
    guard let index = compiled.searchIndexes.first else { return }
    let hasModule = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5')")
    if hasModule == true { return }
    let keys = index.keys.map { "`\($0)`" }.joined(separator: ", ")
    throw StoreError(
      .searchUnavailable, entity: index.entity, keys: index.keys,
      reason:
        "`\(index.entity)` has the searchable keys \(keys), but SQLite was built without FTS5",
      suggestion: "use a build of SQLite with FTS5, or remove `.searchable`")
  }
}
