import MohoMapping
import MohoRows

extension Schema {
  /// The full-text tables and their triggers, in creation order.
  var searchObjects: [SchemaObject] { compiled.searchIndexes.flatMap(\.objects) }
}

extension SearchIndex {
  /// The tokenizer of full-text tables. It ignores letter case and accents.
  static let tokenizer = (name: "unicode61", arguments: ["remove_diacritics", "2"])

  /// The full-text table, the triggers that update it, and the table of postponed
  /// updates.
  ///
  /// The full-text table contains a copy of the texts, so that it can remove a row
  /// without knowing its former texts: `REPLACE` deletes rows without running
  /// triggers. Such a row remains in the table until another row has its identity.
  /// Requests never find it, because they read the entity's table.
  ///
  /// While updates are postponed, the triggers only record which rows change. See
  /// ``PostponedIndexing``.
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
      .joined(separator: " OR ")
    let update = "UPDATE OF \(written.map(quotedName).joined(separator: ", "))"
    return [
      SchemaObject(
        kind: .table, name: table, table: table,
        sql: "CREATE VIRTUAL TABLE \(quotedName(table)) USING fts5"
          + "(\(arguments.joined(separator: ", ")))"),
      SchemaObject(
        kind: .table, name: postponedTable, table: postponedTable,
        sql: "CREATE TABLE \(quotedName(postponedTable)) (row INTEGER) STRICT"),
    ]
      + triggers("insert", "INSERT", removal(of: "NEW") + insert, postponed: ["NEW"])
      + triggers("delete", "DELETE", removal(of: "OLD"), postponed: ["OLD"])
      + triggers(
        "update", update, when: isChanged, removal(of: "OLD") + removal(of: "NEW") + insert,
        postponed: ["OLD", "NEW"])
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

  /// Returns a trigger that updates the index, and one that records the identities
  /// of rows while updates are postponed.
  private func triggers(
    _ name: String, _ event: String, when condition: String? = nil, _ body: String,
    postponed rows: [String]
  ) -> [SchemaObject] {
    let identities = rows.map { "(\($0).\(quotedName(identityColumn)))" }.joined(separator: ", ")
    let record = "INSERT INTO \(quotedName(postponedTable)) VALUES \(identities); "
    let changes = condition.map { " AND (\($0))" } ?? ""
    return [(name, "NOT \(isPostponed)", body), ("\(name) postponed", isPostponed, record)]
      .map { name, mode, body in
        let name = "\(table) \(name)"
        return SchemaObject(
          kind: .trigger, name: name, table: entity,
          sql: "CREATE TRIGGER \(quotedName(name)) AFTER \(event) ON \(quotedName(entity))"
            + " WHEN \(mode)\(changes) BEGIN \(body)END")
      }
  }
}

extension SearchIndex {
  /// The table with the identities of rows whose updates are postponed. It is empty
  /// unless updates are postponed, and then has a null in addition.
  var postponedTable: String { "\(table)\(Self.postponedSuffix)" }

  fileprivate static let postponedSuffix = " postponed"

  private var isPostponed: String { "EXISTS (SELECT 1 FROM \(quotedName(postponedTable)))" }

  /// The statement that begins to postpone updates.
  var postponing: String {
    "INSERT INTO \(quotedName(postponedTable)) SELECT NULL WHERE NOT \(isPostponed)"
  }

  /// The query that returns a row if there are postponed updates.
  var hasPostponedRows: String {
    "SELECT 1 FROM \(quotedName(postponedTable)) WHERE row IS NOT NULL LIMIT 1"
  }

  /// The statements that make the postponed updates.
  var updates: [String] {
    let rows = "(SELECT row FROM \(quotedName(postponedTable)))"
    return [
      "DELETE FROM \(quotedName(table)) WHERE rowid IN \(rows)",
      "\(filling) WHERE \(quotedName(identityColumn)) IN \(rows)",
      "DELETE FROM \(quotedName(postponedTable)) WHERE row IS NOT NULL",
    ]
  }

  /// The statement after which updates are no longer postponed.
  var endOfPostponing: String { "DELETE FROM \(quotedName(postponedTable))" }
}

extension SchemaObject {
  /// Whether the object is a full-text table or one of its triggers.
  var isPartOfSearch: Bool { ReservedName.isPartOfSearch(name) }

  /// The entity of a full-text index, if the object is one of its tables, except those of
  /// FTS5. Otherwise nil.
  var searchedEntity: String? {
    guard kind == .table else { return nil }
    let suffix = SearchIndex.postponedSuffix
    let table = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    return ReservedName.entity(ofSearchTable: table)
  }
}
