/// The names of the tables, columns and triggers that stores create for their
/// own use.
///
/// Users cannot declare names that start with `_moho`.
package enum ReservedName {
  /// The identity column of entities without an identity attribute.
  package static let identity = "_moho_id"

  private static let positionPrefix = "_moho_position_"
  private static let interimPrefix = "_moho new "

  package static func linkTable(of relationship: String, in entity: String) -> String {
    "_moho_\(entity)_\(relationship)"
  }

  /// Returns the relationship whose links a database table stores, or nil if
  /// the table is not a link table of the entity.
  ///
  /// The schema may not contain the relationship. For link tables of the
  /// schema, use ``LinkTable/relationship``.
  package static func relationship(ofLinkTable name: String, in entity: String) -> String? {
    let prefix = linkTable(of: "", in: entity)
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  /// The column that stores the position of the row among the rows of the same
  /// owner, next to a link column.
  package static func position(of relationship: String) -> String { positionPrefix + relationship }

  /// The inverse of a to-one relationship that declares a delete rule, but no
  /// inverse.
  package static func impliedInverse(of relationship: String, in entity: String) -> String {
    "_moho \(entity).\(relationship)"
  }

  package static func deleteTrigger(of relationship: String, in entity: String) -> String {
    "_moho_\(entity).\(relationship)"
  }

  /// Returns the relationship whose delete rule a database trigger implements.
  package static func relationship(ofDeleteTrigger name: String, in entity: String) -> String {
    String(name.dropFirst(deleteTrigger(of: "", in: entity).count))
  }

  private static let searchPrefix = "_moho search ("

  /// The full-text table of an entity. A space follows `_moho`, so that no link
  /// table can have the same name. The parenthesis separates the name from the
  /// suffixes of SQLite's own tables.
  package static func searchTable(of entity: String) -> String { "\(searchPrefix)\(entity))" }

  /// Returns the entity with a full-text table, or nil if the table is another
  /// one.
  package static func entity(ofSearchTable name: String) -> String? {
    guard name.hasPrefix(searchPrefix), name.hasSuffix(")") else { return nil }
    return String(name.dropFirst(searchPrefix.count).dropLast())
  }

  /// Whether a table or a trigger is part of a full-text index.
  package static func isPartOfSearch(_ name: String) -> Bool { name.hasPrefix(searchPrefix) }

  /// The table that replaces another table during a migration. A space follows
  /// `_moho`, so that no link table can have the same name.
  package static func interimTable(_ name: String) -> String { interimPrefix + name }

  /// The table that contains the models to convert during a migration.
  package static func oldTable(_ name: String) -> String { "_moho old \(name)" }

  /// The column with the values that a declared migration step has created for
  /// a key.
  package static func interimColumn(_ key: String) -> String { interimPrefix + key }

  /// The table of the changes in the history. Like ``interimTable(_:)``, no link
  /// table can have the same name.
  package static let history = "_moho history"

  /// The table of the transactions in the history.
  package static let historyTransactions = "_moho history transactions"

  /// The table of the entities in the history, with their unique keys.
  package static let historyEntities = "_moho history entities"

  /// The table with the extent of the history.
  package static let historyState = "_moho history state"

  /// The index that finds deleted rows in the history.
  package static let historyDeletions = "_moho history deletions"

  package static func historyTrigger(_ event: String, of table: String) -> String {
    "_moho history \(event) \(table)"
  }

  /// Whether a table, an index or a trigger belongs to the history.
  package static func isHistory(_ name: String) -> Bool { name.hasPrefix(history) }

  package static func isInterimColumn(_ name: String) -> Bool { name.hasPrefix(interimPrefix) }
}
