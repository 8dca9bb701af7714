import Foundation
import GRDB
import MohoMapping
import MohoRows

/// Creates and updates the tables and triggers of the history.
///
/// Triggers refer to the columns of all tables. A migration therefore drops them
/// first, and creates them at the end. A migration is not recorded.
struct HistorySchema {
  let schema: Schema
  let policy: HistoryPolicy

  /// The tables and indexes. Their definitions never change.
  private static let objects = [
    // Without `AUTOINCREMENT`, which updates another table for each change. The
    // last row is never deleted, so that numbers are not used again.
    SchemaObject(
      history: .table, ReservedName.history,
      "sequence INTEGER PRIMARY KEY, date REAL NOT NULL, entity TEXT NOT NULL,"
        + " row INTEGER NOT NULL, change INTEGER NOT NULL, keys TEXT, key ANY"),
    SchemaObject(
      history: .table, ReservedName.historyTransactions,
      "last INTEGER PRIMARY KEY, first INTEGER NOT NULL, date REAL NOT NULL, author TEXT"),
    SchemaObject(
      history: .table, ReservedName.historyEntities, "name TEXT PRIMARY KEY, keys TEXT NOT NULL"),
    SchemaObject(
      history: .table, ReservedName.historyState,
      "id INTEGER PRIMARY KEY, history TEXT NOT NULL, deleted INTEGER NOT NULL"),
    SchemaObject(
      kind: .index, name: ReservedName.historyDeletions, table: ReservedName.history,
      sql: "CREATE INDEX \(quotedName(ReservedName.historyDeletions)) ON"
        + " \(quotedName(ReservedName.history)) (entity, row) WHERE change = 2"),
  ]

  /// Whether the database records its history.
  static func isRecorded(in database: Database) throws -> Bool {
    try Row.fetchOne(
      database, sql: "SELECT 1 FROM main.sqlite_schema WHERE name = ?",
      arguments: [ReservedName.historyState]) != nil
  }

  /// Whether the tables and triggers match the policy and the schema.
  func isPrepared(_ stored: StoredSchema) -> Bool {
    let triggers = Set(stored.history.filter { $0.kind == .trigger && isDeclared($0.table) })
    let found = Set(stored.history)
    guard records(stored) else {
      return triggers.isEmpty && (found.isEmpty || found.contains { $0.kind == .trigger })
    }
    return found.isSuperset(of: Self.objects) && triggers == Set(schema.compiled.historyTriggers)
  }

  /// Drops all triggers, which would prevent tables from being changed.
  func dropTriggers(_ stored: StoredSchema, _ database: Database) throws {
    for trigger in stored.history where trigger.kind == .trigger {
      try database.execute(sql: "DROP TRIGGER \(quotedName(trigger.name))")
    }
  }

  /// Creates or drops the tables and the triggers.
  ///
  /// - Parameter stored: The schema before the triggers were dropped.
  func prepare(_ stored: StoredSchema, _ database: Database) throws {
    // Other stores in the same database may declare further tables.
    let others = stored.history.filter { $0.kind == .trigger && !isDeclared($0.table) }
    let now = try StoredSchema(database)
    for trigger in now.history where trigger.kind == .trigger && isDeclared(trigger.table) {
      try database.execute(sql: "DROP TRIGGER \(quotedName(trigger.name))")
    }
    for trigger in others
    where now.object(.table, trigger.table) != nil && !now.history.contains(trigger) {
      try database.execute(sql: trigger.sql)
    }
    guard records(stored) else {
      if others.isEmpty {
        for object in now.history where object.kind == .table {
          try database.execute(sql: "DROP TABLE \(quotedName(object.name))")
        }
      }
      return
    }
    for object in Self.objects where !now.history.contains(object) {
      try database.execute(sql: object.sql)
    }
    try updateState(database)
    for trigger in schema.compiled.historyTriggers { try database.execute(sql: trigger.sql) }
  }

  private func records(_ stored: StoredSchema) -> Bool {
    switch policy {
    case .enabled: true
    case .disabled: false
    case .unchanged: stored.history.contains { $0.name == ReservedName.historyState }
    }
  }

  private func isDeclared(_ table: String) -> Bool {
    schema.compiled.tables.contains { isEqualIgnoringCase($0.name, table) }
  }

  /// Identifies a new history. If the unique key of an entity consists of other
  /// keys than before, deletes the history, whose deleted rows have the old keys.
  private func updateState(_ database: Database) throws {
    let state = quotedName(ReservedName.historyState)
    try database.execute(
      sql: "INSERT OR IGNORE INTO \(state) VALUES (1, ?, 0)", arguments: [UUID().uuidString])
    var isOutdated = false
    let entities = quotedName(ReservedName.historyEntities)
    for entity in schema.entities {
      let keys = HistoryKeys.list(entity.identifyingKeys)
      let row = try Row.fetchOne(
        database, sql: "SELECT keys FROM \(entities) WHERE name = ?", arguments: [entity.name])
      if let row, row.text(0) != keys { isOutdated = true }
      try database.execute(
        sql: "INSERT OR REPLACE INTO \(entities) VALUES (?, ?)", arguments: [entity.name, keys])
    }
    if isOutdated { try HistoryRecorder.deleteAll(database) }
  }
}

extension HistorySchema {
  /// Returns the statements that rename an entity or a key in the history.
  static func statements(renaming part: SchemaPart, from old: String) -> [String] {
    func literal(_ text: String) -> String { FieldContent.string(text).literal }
    let history = quotedName(ReservedName.history)
    let entities = quotedName(ReservedName.historyEntities)
    guard let key = part.key else {
      return [
        "UPDATE \(history) SET entity = \(literal(part.entity)) WHERE entity = \(literal(old))",
        "UPDATE OR REPLACE \(entities) SET name = \(literal(part.entity))"
          + " WHERE name = \(literal(old))",
      ]
    }
    let (from, to) = (HistoryKeys.list([old]), HistoryKeys.list([key]))
    return [(history, "entity"), (entities, "name")].map { table, entity in
      "UPDATE \(table) SET keys = replace(keys, \(literal(from)), \(literal(to)))"
        + " WHERE \(entity) = \(literal(part.entity)) AND instr(keys, \(literal(from)))"
    }
  }
}

extension SchemaObject {
  fileprivate init(history kind: Kind, _ name: String, _ columns: String) {
    self.init(
      kind: kind, name: name, table: name,
      sql: "CREATE TABLE \(quotedName(name)) (\(columns)) STRICT")
  }
}
