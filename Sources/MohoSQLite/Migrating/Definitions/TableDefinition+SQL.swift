import MohoMapping
import MohoRows

// Tables are `STRICT`, so that SQLite checks the type of each value. Checks are
// named after their keys, so that error messages identify the key.
extension TableDefinition {
  var object: SchemaObject {
    SchemaObject(kind: .table, name: name, table: name, sql: sql(named: name))
  }

  /// Returns the statement that creates the table with a name.
  func sql(named name: String) -> String {
    // The column names of a link table need no quotes.
    let quote = relationship == nil ? quotedName : { $0 }
    let columns = columns.map { column in
      column.sql(quote, isUnique: uniqueKeys.contains([column.name]))
    }
    let uniques = uniqueKeys.filter { $0.count > 1 }.map { keys in
      "UNIQUE (\(keys.map(quote).joined(separator: ", ")))"
    }
    return
      "CREATE TABLE \(quotedName(name)) (\((columns + uniques).joined(separator: ", "))) STRICT"
  }
}

extension ColumnDefinition {
  /// The check constraint, as written in the table's statement.
  var checkConstraint: String? {
    check.map { "CONSTRAINT \(quotedName(name)) CHECK (\($0))" }
  }

  fileprivate func sql(_ quote: (String) -> String, isUnique: Bool) -> String {
    if isIdentity { return "\(quote(name)) INTEGER PRIMARY KEY" }
    var sql = "\(quote(name)) \(type)"
    if isRequired { sql += " NOT NULL" }
    if isUnique { sql += " UNIQUE" }
    if let defaultValue { sql += " DEFAULT \(defaultValue)" }
    if let checkConstraint { sql += " \(checkConstraint)" }
    if let reference { sql += " \(reference.sql)" }
    return sql
  }
}

extension StoredReference {
  /// SQLite checks foreign keys at the end of the transaction, so rows can be
  /// written in any order. If the identity of a row changes, the references to
  /// it are updated.
  fileprivate var sql: String {
    "REFERENCES \(quotedName(table))" + (action == "NO ACTION" ? "" : " ON DELETE \(action)")
      + " ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED"
  }
}

extension Schema {
  /// The tables of the entities, followed by the link tables.
  var tableDefinitions: [TableDefinition] { tableDefinitions(SQLiteColumns()) }
}

/// The SQL of SQLite for columns and their values.
private struct SQLiteColumns: ColumnDialect {
  let integerType = "INTEGER"

  func columnType(of type: AttributeType) -> String { type.columnType }
  func literal(_ value: FieldContent, of type: AttributeType) -> String { value.literal }
  func checkConditions(of attribute: Attribute) -> [String] { attribute.checkConditions }
}
