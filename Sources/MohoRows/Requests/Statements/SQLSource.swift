/// A table of a query, and the tables that are joined to it for to-one
/// relationships.
package struct SQLSource {
  let table: String
  let alias: String
  let entity: Entity
  /// The aliases of the joined tables, by the paths of the relationships.
  var joined: [[String]: String] = [:]
  var joins = ""

  package var from: String { "FROM \(quotedName(table)) AS \(alias)\(joins)" }
}
