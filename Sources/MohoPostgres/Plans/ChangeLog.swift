import MohoMapping
import MohoRows

/// Records the former values of all rows that change, with triggers. This
/// includes changes by statements, delete rules and other triggers.
///
/// The triggers and their tables must be undone with a savepoint.
struct ChangeLog {
  private let schema: CompiledSchema
  private let connection: PostgresConnection
  private let tables: [LoggedTable]

  init(_ schema: CompiledSchema, _ connection: PostgresConnection) {
    self.schema = schema
    self.connection = connection
    tables = schema.tables.enumerated().map {
      LoggedTable($1, connection.qualified($1.name), number: $0)
    }
  }

  func begin() throws { try connection.execute(tables.map(\.creation).joined(separator: ";")) }

  /// Returns a plan with the changes since the log was created.
  func plan(
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws -> SavePlan {
    var differences: [String: [RowDifference]] = [:]
    let results = try connection.queries(tables.map { PostgresQuery($0.changes) })
    for (table, result) in zip(tables, results) {
      differences[table.table.name] = try result.rows.compactMap { try table.difference(in: $0) }
    }
    return try SavePlan(
      differences, schema, unchanged: unchanged, identifying: connection.identifyingValues,
      save: save)
  }
}

/// The temporary table that records the former rows of a table, and its
/// triggers.
private struct LoggedTable {
  let table: CompiledTable
  private let name: String
  private let number: Int

  init(_ table: CompiledTable, _ name: String, number: Int) {
    self.table = table
    self.name = name
    self.number = number
  }

  private var log: String { "pg_temp." + quotedName("_moho plan \(number)") }
  private var identity: String { quotedName(table.identityColumn ?? "_moho_id") }

  /// The statements that create the log and the triggers that write it.
  var creation: String {
    // The first entry of a row has its values before all changes.
    let types = table.columns.enumerated().map { ", c\($0) \($1.type.name)" }.joined()
    let table = """
      CREATE TABLE \(log) (entry int8 GENERATED ALWAYS AS IDENTITY, id int8, is_new bool\(types));
      """
    let new = "INSERT INTO \(log) (id, is_new) SELECT \(identity), true FROM _moho_new;"
    let columns = self.table.columns.indices.map { ", c\($0)" }.joined()
    let values = self.table.columnNames.map { ", o.\(quotedName($0))" }.joined()
    let old = """
      INSERT INTO \(log) (id, is_new\(columns)) SELECT o.\(identity), false\(values) FROM _moho_old AS o;
      """
    return table + trigger("INSERT", "NEW TABLE AS _moho_new", new)
      + trigger("UPDATE", "OLD TABLE AS _moho_old NEW TABLE AS _moho_new", old + new)
      + trigger("DELETE", "OLD TABLE AS _moho_old", old)
  }

  private func trigger(_ event: String, _ tables: String, _ body: String) -> String {
    let name = quotedName("_moho plan \(event) \(number)")
    let text = "BEGIN \(body) RETURN NULL; END".replacing("'", with: "''")
    return """
      CREATE FUNCTION pg_temp.\(name)() RETURNS trigger LANGUAGE plpgsql AS '\(text)'; \
      CREATE TRIGGER \(name) AFTER \(event) ON \(self.name) REFERENCING \(tables) \
      FOR EACH STATEMENT EXECUTE FUNCTION pg_temp.\(name)();
      """
  }

  /// The statement that returns the identity of each changed row, whether the row
  /// existed before and exists now, and its values at both times.
  var changes: String {
    let names = table.columnNames.map { quotedName($0) }
    let columns =
      ["l.id", "NOT l.is_new", "s.\(identity) IS NOT NULL"] + names.indices.map { "l.c\($0)" }
      + names.map { "s.\($0)" }
    return """
      SELECT \(columns.joined(separator: ", ")) \
      FROM (SELECT DISTINCT ON (id) * FROM \(log) ORDER BY id, entry) AS l \
      LEFT JOIN \(name) AS s ON s.\(identity) = l.id ORDER BY l.id
      """
  }

  /// Returns nil if the row has the same values as before.
  func difference(in row: PostgresRow) throws -> RowDifference? {
    func values(from first: Int) throws -> [FieldContent] {
      try table.columns.enumerated().map { index, column in
        try row.content(first + index, as: column.type)
      }
    }
    let old = row.bool(1) ? try values(from: 3) : nil
    let new = row.bool(2) ? try values(from: 3 + table.columns.count) : nil
    switch (old, new) {
    case (nil, nil): return nil
    case (let old?, let new?) where old == new: return nil
    default: return RowDifference(id: row.int64(0), old: old, new: new)
    }
  }
}

extension TableColumn {
  var type: PostgresType {
    if case .attribute(let type) = content { PostgresType(type) } else { .int8 }
  }
}
