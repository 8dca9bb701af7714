import MohoRows

extension TableComparison {
  /// Compares the full-text index of an entity.
  mutating func compareSearchIndex() {
    let expected = definition.relationship == nil ? schema.searchIndex(of: definition.entity) : nil
    let found = table.searchIndex
    if let expected, let found, found.matches(expected) { return }
    if let found {
      changes.searchDrops.append(
        MigrationStep(
          "drop the search index of `\(definition.entity)`",
          ["DROP INDEX \(qualifiedName(found.name, in: stored.namespace))"]))
      if expected == nil { add(nil, .removedSearchIndex) }
    }
    if let expected {
      add(nil, .addedSearchIndex(expected.keys))
      changes.searchBuilds.append(expected.building)
    }
  }
}

extension Schema {
  /// Whether the store has full-text indexes.
  var hasSearchIndexes: Bool { !compiled.searchIndexes.isEmpty }

  /// The full-text index of an entity, or nil if it has no searchable keys.
  func searchIndex(of entity: String) -> SearchIndex? {
    self.entity(entity).flatMap { SearchIndex($0) }
  }
}
