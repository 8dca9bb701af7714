/// A table that is read, with the tables that rows' relationships to one lead
/// to.
struct SQLSource {
  let table: String
  let alias: String
  let entity: Entity
  /// The tables that are joined, by their paths.
  var joined: [[String]: String] = [:]
  var joins = ""

  var from: String { "FROM \(quoted(table)) AS \(alias)\(joins)" }
}
