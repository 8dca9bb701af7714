import MohoMapping

extension Entity {
  /// The statement that makes the table.
  ///
  /// Tables are `STRICT`, so that SQLite keeps each column to its type.
  var creation: String {
    var columns = attributes.map(definition)
    if !attributes.contains(where: isIdentity) {
      columns.insert("\(quoted(identityColumn)) INTEGER PRIMARY KEY", at: 0)
    }
    return "CREATE TABLE \(quoted(name)) (\(columns.joined(separator: ", "))) STRICT"
  }

  /// The names of the indexes, and the statements that make them.
  var indexCreations: [(name: String, sql: String)] {
    attributes.filter { $0.isIndexed && !$0.isUnique }.map { attribute in
      let index = "\(name)(\(attribute.name))"
      return (
        index,
        "CREATE INDEX \(quoted(index)) ON \(quoted(name)) (\(quoted(attribute.name)))"
      )
    }
  }

  private func definition(_ attribute: Attribute) -> String {
    let column = quoted(attribute.name)
    if isIdentity(attribute) { return "\(column) INTEGER PRIMARY KEY" }
    var definition = "\(column) \(attribute.type.columnType)"
    if !attribute.isOptional { definition += " NOT NULL" }
    if attribute.isUnique { definition += " UNIQUE" }
    if attribute.type == .boolean { definition += " CHECK (\(column) IN (0, 1))" }
    return definition
  }
}

extension FieldType {
  /// The SQLite type of the columns that hold it.
  var columnType: String {
    switch self {
    case .null, .boolean, .integer: "INTEGER"
    case .double, .date: "REAL"
    case .string, .decimal: "TEXT"
    case .data, .object, .array, .dictionary: "BLOB"
    }
  }
}

/// An identifier in double quotes.
func quoted(_ identifier: String) -> String {
  "\""
    + identifier.split(separator: "\"", omittingEmptySubsequences: false)
    .joined(separator: "\"\"") + "\""
}
