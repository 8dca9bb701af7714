import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Records each change of a schema's rows with temporary triggers. This
/// includes changes by statements, delete rules and other triggers.
struct ChangeLog {
  private let schema: CompiledSchema
  private let database: Database
  private let tables: [LoggedTable]

  init(_ schema: CompiledSchema, _ database: Database) {
    self.schema = schema
    self.database = database
    tables = schema.tables.map { LoggedTable($0) }
  }

  func begin() throws {
    for table in tables { try execute(table.creation, on: database) }
  }

  func end() throws {
    for table in tables { try execute(table.removal, on: database) }
  }

  /// Returns a plan with the changes since the log was created.
  func plan(
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws -> SavePlan {
    var differences: [String: [RowDifference]] = [:]
    for table in tables { differences[table.table.name] = try self.differences(of: table) }
    return try SavePlan(
      differences, schema, unchanged: unchanged,
      identifying: { entity, rows in
        var values: [Int64: [FieldContent]] = [:]
        for row in rows {
          guard let stored = try entity.identifyingValues(of: row, database) else { continue }
          values[row] = zip(entity.identifyingColumns, stored).map { column, value in
            entity.table.columns[column].content(of: value)
          }
        }
        return values
      }, save: save)
  }

  /// Returns the changed rows, sorted by identity.
  private func differences(of table: LoggedTable) throws -> [RowDifference] {
    var rows: [Int64: StoredDifference] = [:]
    let count = Int32(table.table.columns.count)
    let query = SQLQuery("SELECT * FROM temp.\(table.log) ORDER BY rowid")
    try StatementRows.forEach(of: query, database) { statement in
      let kind = LoggedTable.Change(rawValue: Int(sqlite3_column_int64(statement, 0)))
      let id = sqlite3_column_int64(statement, 1)
      func values(from first: Int32) -> [StoredValue] {
        (first..<first + count).map { StoredValue(statement, $0) }
      }
      let old = kind == .insert ? nil : values(from: 2)
      let new = kind == .delete ? nil : values(from: 2 + count)
      rows[id, default: StoredDifference(id: id, old: old, new: new)].new = new
    }
    return rows.values.filter { $0.old != $0.new }.sorted { $0.id < $1.id }.map { row in
      func contents(_ values: [StoredValue]) -> [FieldContent] {
        zip(table.table.columns, values).map { $0.content(of: $1) }
      }
      return RowDifference(id: row.id, old: row.old.map(contents), new: row.new.map(contents))
    }
  }
}

/// A row before and after a change. A side is nil if the row does not exist
/// there.
private struct StoredDifference {
  let id: Int64
  let old: [StoredValue]?
  var new: [StoredValue]?
}

/// The temporary table that records the changes of a table, and its triggers.
private struct LoggedTable {
  enum Change: Int {
    case insert, update, delete
  }

  let table: CompiledTable

  init(_ table: CompiledTable) { self.table = table }

  var log: String { quotedName("_moho_log \(table.name)") }

  /// The statements that create the log and the triggers that write it.
  var creation: String {
    let logged = (["change", "id"] + (0..<(2 * table.columns.count)).map { "c\($0)" })
      .joined(separator: ", ")
    return "CREATE TEMP TABLE \(log) (\(logged));"
      + trigger(.insert, "INSERT", old: false, new: true)
      + trigger(.update, "UPDATE", old: true, new: true)
      + trigger(.delete, "DELETE", old: true, new: false)
  }

  var removal: String {
    let triggers = ["INSERT", "UPDATE", "DELETE"].map { "DROP TRIGGER temp.\(triggerName($0));" }
    return triggers.joined() + "DROP TABLE temp.\(log);"
  }

  private func triggerName(_ event: String) -> String {
    quotedName("_moho_log \(event) \(table.name)")
  }

  private func trigger(_ change: Change, _ event: String, old: Bool, new: Bool) -> String {
    func values(_ row: String, _ exists: Bool) -> [String] {
      table.columnNames.map { exists ? "\(row).\(quotedName($0))" : "NULL" }
    }
    let identity = quotedName(table.identityColumn ?? "rowid")
    let values =
      ["\(change.rawValue)", "\(new ? "NEW" : "OLD").\(identity)"] + values("OLD", old)
      + values("NEW", new)
    return """
      CREATE TEMP TRIGGER \(triggerName(event)) AFTER \(event) ON main.\(quotedName(table.name)) BEGIN \
      INSERT INTO \(log) VALUES (\(values.joined(separator: ", "))); END;
      """
  }
}

extension TableColumn {
  /// Returns the content of a value. If the value does not have the type of the
  /// attribute, the storage class determines the content.
  fileprivate func content(of value: StoredValue) -> FieldContent {
    guard case .attribute(let type) = content else { return value.content }
    return value.content(as: ValueType(type)) ?? value.content
  }
}
