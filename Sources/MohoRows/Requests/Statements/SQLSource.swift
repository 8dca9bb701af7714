/// A table of a query, and the tables that are joined to it for to-one
/// relationships.
package struct SQLSource {
  let table: String
  let alias: String
  let entity: Entity
  /// The aliases of the joined tables, by the paths of the relationships.
  var joined: [[String]: String] = [:]
  var joins = ""

  /// The full-text index that provides values, if any.
  var search: Search?

  package var from: String {
    "FROM \(search?.table ?? "")\(quotedName(table)) AS \(alias)\(search?.condition ?? "")\(joins)"
  }
}
