import MohoMapping
import MohoRows

extension CompiledSchema {
  /// The triggers that record the changes of all rows in the history.
  ///
  /// Triggers record the changes of all programs, in the same transaction, and
  /// also changes by delete rules. They use only functions that every connection
  /// has.
  var historyTriggers: [SchemaObject] {
    entities.flatMap { triggers(of: $0) } + linkTables.flatMap { triggers(of: $0) }
  }

  private func triggers(of entity: CompiledEntity) -> [SchemaObject] {
    let identity = quotedName(entity.identityColumn)
    let values = entity.table.columnNames
    let (old, new) = (HistoryRow(entity, "OLD"), HistoryRow(entity, "NEW"))
    let newKey = changes(of: [entity.identityColumn] + entity.entity.identifyingKeys)
    var update = [
      record(
        entity, .update, row: "NEW.\(identity)", keys: changedKeys(of: entity),
        where: "NOT (\(newKey)) AND (\(changes(of: entity.columnNames)))")
    ]
    update += renaming(of: entity, from: old, to: new, where: newKey)
    var (insert, delete) = (
      [record(entity, .insert, row: "NEW.\(identity)")],
      [record(entity, .delete, row: "OLD.\(identity)", key: old.key)]
    )
    for link in entity.linkColumns {
      guard let owner = linkedMembers(of: link) else { continue }
      let column = quotedName(link.name)
      insert.append(record(owner, rows: "= NEW.\(column)"))
      delete.append(record(owner, rows: "= OLD.\(column)"))
      update.append(
        record(
          owner, rows: "IN (OLD.\(column), NEW.\(column))",
          where: changes(of: [link.name] + [link.positionColumn].compactMap { $0 })))
    }
    return [
      trigger("insert", of: entity.name, insert), trigger("delete", of: entity.name, delete),
      trigger(
        "update", of: entity.name, when: changes(of: [entity.identityColumn] + values), update),
    ]
  }

  /// The statements that record a new unique key as the deletion of one row and
  /// the insertion of another, and the changes of the rows that refer to it.
  private func renaming(
    of entity: CompiledEntity, from old: HistoryRow, to new: HistoryRow, where condition: String
  ) -> [String] {
    let identity = quotedName(entity.identityColumn)
    let rows = rowsIdentified(by: entity, "= NEW.\(identity)", { quotedName($0) })
    // If the identity in the table changes, foreign keys update the links, and the
    // triggers of the linking rows record them.
    let keys = changes(of: entity.entity.identifyingKeys.filter { $0 != entity.identityColumn })
    let isSameRow = "OLD.\(identity) IS NEW.\(identity) AND (\(keys))"
    let hasKey = entity.hasOwnKey
    var statements: [String] = []
    if hasKey {
      // The rows are deleted before the row that their keys contain, as by delete
      // rules, so that their keys contain the old key.
      statements += rows.reversed().map { entity, rows in
        record(
          entity, .delete, row: quotedName(entity.identityColumn),
          key: HistoryRow(entity, quotedName(entity.name)).key, from: entity, rows: rows,
          where: isSameRow)
      }
    }
    statements.append(
      record(entity, .delete, row: "OLD.\(identity)", key: old.key, where: condition))
    statements.append(record(entity, .insert, row: "NEW.\(identity)", where: condition))
    guard hasKey else { return statements }
    statements += rows.map { entity, rows in
      record(
        entity, .insert, row: quotedName(entity.identityColumn), from: entity, rows: rows,
        where: isSameRow)
    }
    for (entity, rows) in [(entity: entity, rows: "= NEW.\(identity)")] + rows {
      statements += linksTo(entity, rows, where: isSameRow)
    }
    return statements
  }

  /// The statements that record an update of all rows with links to some rows,
  /// except rows whose unique key contains the link.
  private func linksTo(
    _ entity: CompiledEntity, _ rows: String, where condition: String
  ) -> [String] {
    rowsLinked(to: entity, rows, { quotedName($0) }).map { owner, key, rows in
      record((owner, key), rows: rows, where: condition)
    }
  }

  private func triggers(of table: LinkTable) -> [SchemaObject] {
    var (insert, delete, update): ([String], [String], [String]) = ([], [], [])
    let ends = [LinkTable.column(.source), LinkTable.column(.target)]
    for end in [LinkTable.End.source, .target] {
      guard let members = members(of: table, at: end) else { continue }
      let column = LinkTable.column(end)
      insert.append(record(members, rows: "= NEW.\(column)"))
      delete.append(record(members, rows: "= OLD.\(column)"))
      update.append(
        record(
          members, rows: "IN (OLD.\(column), NEW.\(column))",
          where: changes(of: ends + [table.positionColumn(for: end)].compactMap { $0 })))
    }
    return [
      trigger("insert", of: table.name, insert), trigger("delete", of: table.name, delete),
      trigger("update", of: table.name, update),
    ]
  }
}

extension CompiledSchema {
  private func trigger(
    _ event: String, of table: String, when condition: String? = nil, _ body: [String]
  ) -> SchemaObject {
    let name = ReservedName.historyTrigger(event, of: table)
    let when = condition.map { " WHEN \($0)" } ?? ""
    return SchemaObject(
      kind: .trigger, name: name, table: table,
      sql: "CREATE TRIGGER \(quotedName(name)) AFTER \(event.uppercased()) ON"
        + " \(quotedName(table))\(when) BEGIN \(body.map { $0 + "; " }.joined())END")
  }

  /// Returns the statement that records the change of a row, or of all rows of an
  /// entity that satisfy a condition.
  ///
  /// - Parameters:
  ///   - row: The identity of the row.
  ///   - keys: The changed keys as an SQL expression.
  ///   - key: The unique key of a deleted row as an SQL expression.
  ///   - rows: The condition for the identity of the rows.
  ///   - condition: An additional condition.
  private func record(
    _ entity: CompiledEntity, _ change: RecordedChange, row: String, keys: String = "NULL",
    key: String = "NULL", from source: CompiledEntity? = nil, rows: String? = nil,
    where condition: String? = nil
  ) -> String {
    let name = FieldContent.string(entity.name).literal
    let conditions =
      [rows.map { "\(row) \($0)" }, condition.map { "(\($0))" }].compactMap { $0 }
    return "INSERT INTO \(quotedName(ReservedName.history))"
      + " (date, entity, row, change, keys, key)"
      + " SELECT julianday('now'), \(name), \(row), \(change.rawValue), \(keys), \(key)"
      + (source.map { " FROM \(quotedName($0.name))" } ?? "")
      + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
  }

  /// Returns the statement that records an update of a relationship of all
  /// existing rows with some identities.
  private func record(
    _ members: (entity: CompiledEntity, key: String), rows: String, where condition: String? = nil
  ) -> String {
    record(
      members.entity, .update, row: quotedName(members.entity.identityColumn),
      keys: FieldContent.string(HistoryKeys.list([members.key])).literal,
      from: members.entity, rows: rows, where: condition)
  }

  /// The condition that the value of a column changes. Nil never changes.
  private func changes(of columns: [String]) -> String {
    let conditions = columns.map { "OLD.\(quotedName($0)) IS NOT NEW.\(quotedName($0))" }
    return conditions.isEmpty ? "FALSE" : conditions.joined(separator: " OR ")
  }

  /// The changed keys of an updated row as an SQL expression.
  private func changedKeys(of entity: CompiledEntity) -> String {
    let keys = entity.columnNames.filter { $0 != entity.identityColumn }.map { column in
      let name = FieldContent.string("\(HistoryKeys.encoded(column)),").literal
      return "CASE WHEN \(changes(of: [column])) THEN \(name) ELSE '' END"
    }
    return (["','"] + keys).joined(separator: " || ")
  }
}

/// A row in a trigger.
private struct HistoryRow {
  private let entity: CompiledEntity
  private let name: String

  /// - Parameter name: `OLD`, `NEW`, or the quoted name of a table.
  init(_ entity: CompiledEntity, _ name: String) {
    self.entity = entity
    self.name = name
  }

  /// The unique key as an SQL expression. See ``HistoryKeys/parts(_:)``.
  var key: String {
    let columns = entity.entity.identifyingKeys.map { "\(name).\(quotedName($0))" }
    if entity.isKeyedByIdentity || columns.isEmpty { return "NULL" }
    if columns.count == 1 { return columns[0] }
    return columns.map { column in
      "CASE typeof(\(column)) WHEN 'text' THEN 't' || hex(\(column))"
        + " WHEN 'blob' THEN 'b' || hex(\(column)) ELSE quote(\(column)) END"
    }
    .joined(separator: " || ' ' || ")
  }
}
