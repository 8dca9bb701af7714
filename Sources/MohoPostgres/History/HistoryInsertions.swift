import MohoMapping
import MohoRows

/// Writes the statements of a trigger that record the changes of a table in the history.
///
/// The statements run in the function that writes the log, with the same transition tables.
/// Rows that were inserted or updated are recorded in lists, and each deleted row has an entry
/// of its own with its unique key. Like the triggers of files, they also record the rows that
/// have gained or lost a linked row, and the rows whose unique keys contain a changed one.
struct HistoryInsertions {
  private let insertions: [String]
  private let updates: [String]
  private let deletions: [String]
  private let truncations: [String]

  init(_ table: CompiledTable, _ schema: CompiledSchema, _ history: PostgresHistorySchema) {
    let entries = HistoryEntries(schema, history)
    let qualified = history.qualified(table.name)
    if let entity = schema.entity(table.name) {
      insertions = entries.insertions(of: entity)
      updates = entries.updates(of: entity)
      deletions = entries.deletions(of: entity, from: "old_rows")
      truncations = entries.deletions(of: entity, from: qualified)
    } else if let links = schema.linkTables.first(where: { $0.name == table.name }) {
      insertions = entries.changes(of: links, in: "new_rows")
      updates = entries.updates(of: links)
      deletions = entries.changes(of: links, in: "old_rows")
      truncations = entries.changes(of: links, in: qualified)
    } else {
      (insertions, updates, deletions, truncations) = ([], [], [], [])
    }
  }

  /// The statements, in a block of their own.
  var sql: String {
    func body(_ statements: [String]) -> String {
      statements.isEmpty ? "NULL;" : statements.map { "\($0);" }.joined(separator: "\n")
    }
    return """
      DECLARE
        history_date timestamptz := clock_timestamp();
        history_author text :=
          substr(nullif(current_setting('\(LogName.author)', true), ''), 2);
        history_timeline int4 := \(PostgresHistorySchema.timeline);
      BEGIN
        IF TG_OP = 'TRUNCATE' THEN
      \(body(truncations))
        ELSIF TG_OP = 'INSERT' THEN
      \(body(insertions))
        ELSIF TG_OP = 'DELETE' THEN
      \(body(deletions))
        ELSE
      \(body(updates))
        END IF;
      END;
      """
  }
}

/// Writes statements that insert entries of the history.
private struct HistoryEntries {
  private let schema: CompiledSchema
  private let history: PostgresHistorySchema

  init(_ schema: CompiledSchema, _ history: PostgresHistorySchema) {
    self.schema = schema
    self.history = history
  }

  /// The maximum number of rows of an entry.
  private static let rowLimit = 8_192

  private static let columns = "xid, timeline, date, author, entity, kind"

  private func values(_ entity: CompiledEntity, _ change: RecordedChange) -> String {
    "pg_current_xact_id(), history_timeline, history_date, history_author,"
      + " \(quotedText(entity.name)), \(change.rawValue)"
  }

  /// Returns the statement that records changes of the same kind, in lists of at most
  /// ``rowLimit`` rows with the same changed keys.
  ///
  /// - Parameter rows: A query for the column `id`, and `keys` if rows are updated.
  private func listInsertion(
    _ entity: CompiledEntity, _ change: RecordedChange, _ rows: String
  ) -> String {
    let keys = change == .update ? "l.keys" : "NULL::text[]"
    return "INSERT INTO \(history.changes) (\(Self.columns), keys, row_ids)"
      + " SELECT \(values(entity, change)), \(keys), array_agg(l.id ORDER BY l.n)"
      + " FROM (SELECT r.*, row_number() OVER () AS n FROM (\(rows)) r) l"
      + " GROUP BY \(change == .update ? "l.keys, " : "")(l.n - 1) / \(Self.rowLimit)"
  }

  /// Returns the statement that records an update of a relationship of existing rows.
  private func relationshipUpdate(
    _ members: (entity: CompiledEntity, key: String), _ rows: String
  ) -> String {
    let identity = quotedName(members.entity.identityColumn)
    return listInsertion(
      members.entity, .update,
      "SELECT w.\(identity) AS id, ARRAY[\(quotedText(members.key))]::text[] AS keys"
        + " FROM \(history.qualified(members.entity.name)) w WHERE w.\(identity) \(rows)")
  }

  /// Returns the statement that records deleted rows.
  ///
  /// - Parameter source: The table `o` with the rows, and a condition.
  private func deletion(_ entity: CompiledEntity, from source: String) -> String {
    let identity = "o.\(quotedName(entity.identityColumn))"
    guard entity.hasOwnKey else {
      return listInsertion(entity, .delete, "SELECT \(identity) AS id FROM \(source)")
    }
    let columns = entity.identifyingColumns.map { index in
      RecordedColumn(entity.table.columns[index]).completeSQL(of: "o")
    }
    return "INSERT INTO \(history.changes) (\(Self.columns), row_id, key)"
      + " SELECT \(values(entity, .delete)), \(identity),"
      + " record_send(ROW(\(columns.joined(separator: ", ")))) FROM \(source)"
  }

  func insertions(of entity: CompiledEntity) -> [String] {
    let identity = quotedName(entity.identityColumn)
    return [listInsertion(entity, .insert, "SELECT n.\(identity) AS id FROM new_rows n")]
      + owners(of: entity) { "IN (SELECT n.\($0) FROM new_rows n)" }
  }

  func deletions(of entity: CompiledEntity, from rows: String) -> [String] {
    [deletion(entity, from: "\(rows) o")]
      + owners(of: entity) { "IN (SELECT o.\($0) FROM \(rows) o)" }
  }

  /// Returns the statements that record updates of the rows which linked rows belong to.
  ///
  /// - Parameter rows: Returns the condition for the identities of the rows of a link column.
  private func owners(
    of entity: CompiledEntity, _ rows: (_ column: String) -> String
  ) -> [String] {
    entity.linkColumns.compactMap { link in
      schema.linkedMembers(of: link).map {
        relationshipUpdate($0, rows(quotedName(link.name)))
      }
    }
  }

  func updates(of entity: CompiledEntity) -> [String] {
    let identity = quotedName(entity.identityColumn)
    let joined = "old_rows o JOIN new_rows n ON o.\(identity) = n.\(identity)"
    let newKey = differs(entity.entity.identifyingKeys.filter { $0 != entity.identityColumn })
    // Joins find rows by their identities, and few updates change these or unique keys.
    let unpaired = { (row: String, other: String) in
      "NOT EXISTS (SELECT FROM \(other) p WHERE p.\(identity) = \(row).\(identity))"
    }
    var statements: [String] = []
    let canRename = entity.identityAttribute != nil || entity.hasOwnKey
    if canRename {
      let renamed =
        "EXISTS (SELECT FROM old_rows o LEFT JOIN new_rows n ON o.\(identity) = n.\(identity)"
        + " WHERE n.\(identity) IS NULL OR \(newKey))"
      let body = renaming(of: entity, joined, newKey).map { "\($0);" }.joined(separator: "\n")
      statements.append("IF \(renamed) THEN\n\(body)\nEND IF")
    }
    let names = entity.columnNames.filter { $0 != entity.identityColumn }
    if !names.isEmpty {
      let keys = names.map { "CASE WHEN \(differs([$0])) THEN \(quotedText($0)) END" }
      statements.append(
        listInsertion(
          entity, .update,
          "SELECT u.id, u.keys FROM (SELECT n.\(identity) AS id,"
            + " array_remove(ARRAY[\(keys.joined(separator: ", "))]::text[], NULL) AS keys"
            + " FROM \(joined) WHERE NOT (\(newKey))) u WHERE u.keys <> '{}'"))
    }
    for link in entity.linkColumns {
      guard let members = schema.linkedMembers(of: link) else { continue }
      let column = quotedName(link.name)
      let changed = differs([link.name] + [link.positionColumn].compactMap { $0 })
      var rows = "SELECT unnest(ARRAY[o.\(column), n.\(column)]) FROM \(joined) WHERE \(changed)"
      if entity.identityAttribute != nil {
        let old = "SELECT o.\(column) FROM old_rows o WHERE \(unpaired("o", "new_rows"))"
        let new = "SELECT n.\(column) FROM new_rows n WHERE \(unpaired("n", "old_rows"))"
        rows += " UNION ALL (\(old) EXCEPT ALL \(new)) UNION ALL (\(new) EXCEPT ALL \(old))"
      }
      statements.append(relationshipUpdate(members, "IN (\(rows))"))
    }
    return statements
  }

  /// The statements that record a new unique key as the deletion of one row and
  /// the insertion of another, and the changes of the rows that refer to it.
  private func renaming(
    of entity: CompiledEntity, _ joined: String, _ newKey: String
  ) -> [String] {
    let identity = quotedName(entity.identityColumn)
    func rowsWithNewKey(
      _ rows: String, _ row: String, _ others: String, _ other: String
    ) -> String {
      "\(rows) \(row) LEFT JOIN \(others) \(other) ON o.\(identity) = n.\(identity)"
        + " WHERE \(other).\(identity) IS NULL OR \(newKey)"
    }
    let deletion = deletion(entity, from: rowsWithNewKey("old_rows", "o", "new_rows", "n"))
    let insertion = listInsertion(
      entity, .insert,
      "SELECT n.\(identity) AS id FROM \(rowsWithNewKey("new_rows", "n", "old_rows", "o"))")
    guard entity.hasOwnKey else { return [deletion, insertion] }
    // If the identity in the table changes, foreign keys update the links, and the
    // triggers of the linking rows record them.
    let sameRows = "IN (SELECT n.\(identity) FROM \(joined) WHERE \(newKey))"
    let dependents = schema.rowsIdentified(by: entity, sameRows, history.qualified)
    func source(_ rows: (entity: CompiledEntity, rows: String), _ name: String) -> String {
      "\(history.qualified(rows.entity.name)) \(name)"
        + " WHERE \(name).\(quotedName(rows.entity.identityColumn)) \(rows.rows)"
    }
    let linked = ([(entity: entity, rows: sameRows)] + dependents).flatMap { rows in
      schema.rowsLinked(to: rows.entity, rows.rows, history.qualified).map {
        relationshipUpdate(($0.entity, $0.key), $0.rows)
      }
    }
    // The rows are deleted before the row that their keys contain, as by delete
    // rules, so that their keys contain the old key.
    var statements = dependents.reversed().map {
      self.deletion($0.entity, from: source($0, "o"))
    }
    statements += [deletion, insertion]
    statements += dependents.map { rows in
      let identity = quotedName(rows.entity.identityColumn)
      return listInsertion(
        rows.entity, .insert, "SELECT w.\(identity) AS id FROM \(source(rows, "w"))")
    }
    return statements + linked
  }

  /// Returns the statements that record updates of the rows at both ends of links.
  func changes(of links: LinkTable, in rows: String) -> [String] {
    ends(of: links).map { end, members in
      relationshipUpdate(members, "IN (SELECT l.\(LinkTable.column(end)) FROM \(rows) l)")
    }
  }

  func updates(of links: LinkTable) -> [String] {
    let identity = quotedName(ReservedName.identity)
    let columns = [LinkTable.column(.source), LinkTable.column(.target)]
    return ends(of: links).map { end, members in
      let column = LinkTable.column(end)
      let changed = differs(columns + [links.positionColumn(for: end)].compactMap { $0 })
      return relationshipUpdate(
        members,
        "IN (SELECT unnest(ARRAY[o.\(column), n.\(column)]) FROM old_rows o"
          + " JOIN new_rows n ON o.\(identity) = n.\(identity) WHERE \(changed))")
    }
  }

  private func ends(
    of links: LinkTable
  ) -> [(LinkTable.End, (entity: CompiledEntity, key: String))] {
    [LinkTable.End.source, .target].compactMap { end in
      schema.members(of: links, at: end).map { (end, $0) }
    }
  }

  /// The condition that the value of any of the columns changes; false without columns.
  private func differs(_ columns: [String]) -> String {
    let conditions = columns.map { name in
      "o.\(quotedName(name)) IS DISTINCT FROM n.\(quotedName(name))"
    }
    return conditions.isEmpty ? "false" : conditions.joined(separator: " OR ")
  }
}
