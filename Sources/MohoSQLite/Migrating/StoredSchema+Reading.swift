import GRDB
import MohoRows

extension StoredSchema {
  /// Reads the objects and the metadata, but not the columns of the tables.
  init(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database,
      sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL")
    let all = try rows.map { row in
      guard let kind = row.text(0).flatMap(SchemaObject.Kind.init), let name = row.text(1),
        let table = row.text(2), let sql = row.text(3)
      else {
        throw StoreError(
          .damaged, reason: "the schema table is damaged",
          suggestion: "restore the file from a copy")
      }
      return SchemaObject(kind: kind, name: name, table: table, sql: sql)
    }
    objects = all.filter { !ReservedName.isHistory($0.name) }
    history = all.filter { ReservedName.isHistory($0.name) }
    owned = try names(in: .entityTable, database)
    migrations = try names(in: .migrationTable, database)
    try readRecord(database)
  }

  private mutating func readRecord(_ database: Database) throws {
    let table = SchemaObject.recordTable
    guard object(.table, table.name)?.sql == table.sql else { return }
    let rows = try Row.fetchAll(
      database, sql: "SELECT kind, name, key, value FROM main.\(quotedName(table.name))")
    for row in rows {
      guard let kind = row.text(0), let name = row.text(1), let key = row.text(2),
        let value = row.text(3)
      else { continue }
      record.read(kind: kind, name: name, key: key, value: value)
    }
  }

  private func names(in table: SchemaObject, _ database: Database) throws -> Set<String> {
    guard object(.table, table.name)?.sql == table.sql else { return [] }
    let rows = try Row.fetchAll(database, sql: "SELECT name FROM main.\(quotedName(table.name))")
    return Set(rows.compactMap { $0.text(0) })
  }

  /// Reads the tables that a store has created, and those with names of
  /// declared entities.
  mutating func readTables(_ database: Database, for schema: Schema) throws {
    let bookkeeping = SchemaObject.bookkeeping.map(\.name)
    let names = Set(schema.entities.map { folded($0.name) })
    tables =
      try objects
      .filter { object in
        object.kind == .table && !bookkeeping.contains(object.name)
          && (isOwned(object.name) || names.contains(folded(object.name)))
      }
      .map { try StoredTable($0, database) }
  }
}

extension StoredTable {
  fileprivate init(_ object: SchemaObject, _ database: Database) throws {
    name = object.name
    storedName = object.name
    sql = object.sql
    func rows(_ sql: String, _ argument: String) throws -> [Row] {
      try Row.fetchAll(database, sql: sql, arguments: [argument])
    }
    columns = try rows(
      #"SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)"#, name
    ).map { row in
      StoredColumn(
        name: row.text(0) ?? "", storedName: row.text(0), type: row.text(1) ?? "",
        isRequired: row.integer(2) != 0, defaultValue: row.text(3),
        isIdentity: row.integer(4) != 0)
    }
    references = try rows(
      #"SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?)"#, name
    ).map { row in
      StoredReference(
        column: row.text(0) ?? "", table: row.text(1) ?? "", action: row.text(2) ?? "")
    }
    let indexes = try rows("SELECT name FROM pragma_index_list(?) WHERE origin = 'u'", name)
    uniqueKeys = try indexes.map { index in
      try rows("SELECT name FROM pragma_index_info(?) ORDER BY seqno", index.text(0) ?? "")
        .map { $0.text(0) ?? "" }
    }
    let hasRow = try Row.fetchOne(database, sql: "SELECT 1 FROM main.\(quotedName(name)) LIMIT 1")
    isEmpty = hasRow == nil
  }
}

extension Row {
  // GRDB traps if a column cannot be converted, which can happen in a damaged
  // file. These methods do not trap.

  /// The text in a column, or nil if the value is not text.
  func text(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }

  /// The integer in a column, or 0 if the value is not an integer.
  func integer(_ column: Int) -> Int64 { Int64.fromDatabaseValue(self[column]) ?? 0 }
}
