/// The names that stores give to tables, columns and triggers of their own.
///
/// Users cannot declare names that start with `_moho`.
package enum ReservedName {
  /// The identity column of entities without an identity attribute.
  static let identity = "_moho_id"

  private static let positionPrefix = "_moho_position_"
  private static let interimPrefix = "_moho new "

  package static func linkTable(of relationship: String, in entity: String) -> String {
    "_moho_\(entity)_\(relationship)"
  }

  /// The relationship whose links a table in a database stores, or nil if the
  /// table is not a link table of the entity.
  ///
  /// The schema may not declare the relationship. Link tables that the schema
  /// declares have ``LinkTable/relationship``.
  package static func relationship(ofLinkTable name: String, in entity: String) -> String? {
    let prefix = linkTable(of: "", in: entity)
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  /// The column next to a link column, with the position of the row among the
  /// rows of the same owner.
  package static func position(of relationship: String) -> String { positionPrefix + relationship }

  package static func deleteTrigger(of relationship: String, in entity: String) -> String {
    "_moho_\(entity).\(relationship)"
  }

  /// The relationship whose delete rule a trigger in a database carries out.
  package static func relationship(ofDeleteTrigger name: String, in entity: String) -> String {
    String(name.dropFirst(deleteTrigger(of: "", in: entity).count))
  }

  /// A table that replaces another one during a migration. A space follows
  /// `_moho` so that no link table has the name.
  package static func interimTable(_ name: String) -> String { interimPrefix + name }

  /// A table whose models a migration converts.
  package static func oldTable(_ name: String) -> String { "_moho old \(name)" }

  /// The column with the values that a declared migration step made for a key.
  package static func interimColumn(_ key: String) -> String { interimPrefix + key }

  package static func isInterimColumn(_ name: String) -> Bool { name.hasPrefix(interimPrefix) }
}
