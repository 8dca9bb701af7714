import MohoMapping
import MohoRows

extension Schema {
  /// The full-text tables and their triggers, in creation order.
  var searchObjects: [SchemaObject] { compiled.searchIndexes.flatMap(\.objects) }
}

extension SearchIndex {
  /// The tokenizer of full-text tables. It ignores letter case and accents.
  static let tokenizer = (name: "unicode61", arguments: ["remove_diacritics", "2"])

  /// The full-text table and the triggers that update it.
  ///
  /// The table contains a copy of the texts, so that it can remove a row without
  /// knowing its former texts: `REPLACE` deletes rows without running triggers.
  /// Such a row remains in the table until another row has its identity.
  /// Requests never find it, because they read the entity's table.
  var objects: [SchemaObject] {
    let arguments =
      columns + [
        "tokenize=\"\(([Self.tokenizer.name] + Self.tokenizer.arguments).joined(separator: " "))\""
      ]
    let new = keys.map { "NEW.\(quotedName($0))" }
    let insert =
      "INSERT INTO \(quotedName(table)) (rowid, \(columns.joined(separator: ", ")))"
      + " VALUES (NEW.\(quotedName(identityColumn)), \(new.joined(separator: ", "))); "
    let written = [identityColumn] + keys
    let isChanged = written.map { "OLD.\(quotedName($0)) IS NOT NEW.\(quotedName($0))" }
    return [
      SchemaObject(
        kind: .table, name: table, table: table,
        sql: "CREATE VIRTUAL TABLE \(quotedName(table)) USING fts5"
          + "(\(arguments.joined(separator: ", ")))"),
      trigger("insert", "INSERT", removal(of: "NEW") + insert),
      trigger("delete", "DELETE", removal(of: "OLD")),
      trigger(
        "update",
        "UPDATE OF \(written.map(quotedName).joined(separator: ", "))",
        when: isChanged.joined(separator: " OR "),
        removal(of: "OLD") + removal(of: "NEW") + insert),
    ]
  }

  /// The statement that adds all rows of the entity to the empty table.
  var filling: String {
    let values = ([identityColumn] + keys).map(quotedName).joined(separator: ", ")
    return "INSERT INTO \(quotedName(table)) (rowid, \(columns.joined(separator: ", ")))"
      + " SELECT \(values) FROM \(quotedName(entity))"
  }

  private func removal(of row: String) -> String {
    "DELETE FROM \(quotedName(table)) WHERE rowid = \(row).\(quotedName(identityColumn)); "
  }

  private func trigger(
    _ name: String, _ event: String, when condition: String? = nil, _ body: String
  ) -> SchemaObject {
    let name = "\(table) \(name)"
    return SchemaObject(
      kind: .trigger, name: name, table: entity,
      sql: "CREATE TRIGGER \(quotedName(name)) AFTER \(event) ON \(quotedName(entity))"
        + (condition.map { " WHEN \($0)" } ?? "") + " BEGIN \(body)END")
  }
}

extension SchemaObject {
  /// Whether the object is a full-text table or one of its triggers.
  var isPartOfSearch: Bool { ReservedName.isPartOfSearch(name) }

  /// The entity with the full-text table, or nil if the object is not one.
  var searchedEntity: String? {
    guard kind == .table, sql.hasPrefix("CREATE VIRTUAL TABLE") else { return nil }
    return ReservedName.entity(ofSearchTable: name)
  }
}
