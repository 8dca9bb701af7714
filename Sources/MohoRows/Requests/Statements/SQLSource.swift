/// A table of a query, and the tables that are joined to it for to-one
/// relationships.
package struct SQLSource {
  let table: String
  package let alias: String
  let entity: Entity
  /// The aliases of the joined tables, by the paths of the relationships.
  var joined: [[String]: String] = [:]
  package var joins = ""

  /// A table that the query reads first, with the condition that joins the own
  /// table to it.
  package var outermost: Outermost?

  package struct Outermost: Sendable {
    /// The SQL before the own table.
    let table: String
    /// The SQL after the own table.
    let condition: String

    package init(table: String, condition: String) {
      self.table = table
      self.condition = condition
    }
  }

  package var from: String {
    "FROM \(outermost?.table ?? "")\(quotedName(table)) AS \(alias)\(outermost?.condition ?? "")\(joins)"
  }
}
