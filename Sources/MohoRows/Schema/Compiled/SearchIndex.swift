/// The full-text index of an entity's searchable keys.
package struct SearchIndex: Sendable, Hashable {
  /// The name of the entity and its table.
  package let entity: String
  /// The column with the identities of the entity's rows, which are the
  /// identities of the index.
  package let identityColumn: String
  /// The searchable keys, in declaration order.
  package let keys: [String]

  /// Returns nil if the entity has no searchable keys.
  package init?(_ entity: Entity) {
    if entity.searchableKeys.isEmpty { return nil }
    self.entity = entity.name
    identityColumn = entity.identityColumn
    keys = entity.searchableKeys
  }

  /// The name of the full-text table.
  package var table: String { ReservedName.searchTable(of: entity) }

  /// The columns of the full-text table, in the order of the keys. They do not
  /// have the names of keys, because FTS5 reserves some names.
  package var columns: [String] { keys.indices.map { Self.column($0) } }

  /// Returns the column of the full-text table for a key.
  package static func column(_ index: Int) -> String { "c\(index)" }
}
