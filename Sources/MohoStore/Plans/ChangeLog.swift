import GRDB
import GRDBSQLite
import MohoMapping

/// Notes each change of a schema's rows by temporary triggers, whoever makes it:
/// statements, delete rules, other triggers.
struct ChangeLog {
  private let schema: Schema
  private let database: Database
  private let tables: [LoggedTable]

  init(_ schema: Schema, _ database: Database) {
    self.schema = schema
    self.database = database
    tables =
      schema.entities.map { LoggedTable($0, schema) } + schema.linkTables.map { LoggedTable($0) }
  }

  func begin() throws {
    for table in tables { try execute(table.creation, on: database) }
  }

  func end() throws {
    for table in tables { try execute(table.removal, on: database) }
  }

  /// The plan that leads from what was there at the beginning to what is now.
  func plan(
    unchanged: Int, save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws -> SavePlan {
    var differences: [String: [RowDifference]] = [:]
    for table in tables { differences[table.name] = try self.differences(of: table) }
    var names = RowNames(schema, database)
    for entity in schema.entities { names.learn(differences[entity.name] ?? [], of: entity) }
    return try SavePlan(differences, tables, &names, unchanged: unchanged, save: save)
  }

  /// What became of each row that was changed, in the order of the identities.
  private func differences(of table: LoggedTable) throws -> [RowDifference] {
    var rows: [Int64: RowDifference] = [:]
    let count = Int32(table.columns.count)
    var steps = try RowSteps(database, sql: "SELECT * FROM temp.\(table.log) ORDER BY rowid", [])
    while try steps.next() {
      let statement = steps.statement
      let kind = LoggedTable.Change(rawValue: Int(sqlite3_column_int64(statement, 0)))
      let id = sqlite3_column_int64(statement, 1)
      let old = kind == .insert ? nil : (0..<count).map { StoredValue(statement, 2 + $0) }
      let new = kind == .delete ? nil : (0..<count).map { StoredValue(statement, 2 + count + $0) }
      rows[id, default: RowDifference(id: id, old: old, new: new)].new = new
    }
    return rows.values.filter { $0.old != $0.new }.sorted { $0.id < $1.id }
  }
}

/// What a row was and is; nil where it was not there.
struct RowDifference {
  let id: Int64
  let old: [StoredValue]?
  var new: [StoredValue]?
}

/// A table whose changes are noted in a temporary one.
struct LoggedTable {
  enum Change: Int {
    case insert, update, delete
  }

  /// What a column holds.
  enum Content {
    case attribute(AttributeType)
    /// The identity of a row of an entity.
    case link(String)
    case position
  }

  let name: String
  let columns: [(name: String, content: Content)]
  private let identity: String

  var log: String { quoted("_moho_log \(name)") }

  init(_ entity: Entity, _ schema: Schema) {
    name = entity.name
    identity = quoted(entity.identityColumn)
    var columns = entity.attributes.map { ($0.name, Content.attribute($0.type)) }
    for relationship in entity.relationships
    where schema.link(relationship, of: entity) == .column {
      columns.append((relationship.name, .link(relationship.destination)))
      if let position = schema.position(of: relationship, in: entity) {
        columns.append((position, .position))
      }
    }
    self.columns = columns
  }

  init(_ table: LinkTable) {
    name = table.name
    identity = "rowid"
    let positions = [table.position(seenFrom: .source), table.position(seenFrom: .target)]
    columns =
      [("source", .link(table.source)), ("target", .link(table.target))]
      + positions.compactMap { $0.map { ($0, .position) } }
  }

  /// The statements that make the log and what fills it.
  var creation: String {
    let logged = (["change", "id"] + (0..<(2 * columns.count)).map { "c\($0)" })
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

  private func triggerName(_ event: String) -> String { quoted("_moho_log \(event) \(name)") }

  private func trigger(_ change: Change, _ event: String, old: Bool, new: Bool) -> String {
    func values(_ row: String, _ isThere: Bool) -> [String] {
      columns.map { isThere ? "\(row).\(quoted($0.name))" : "NULL" }
    }
    let values =
      ["\(change.rawValue)", "\(new ? "NEW" : "OLD").\(identity)"] + values("OLD", old)
      + values("NEW", new)
    return """
      CREATE TEMP TRIGGER \(triggerName(event)) AFTER \(event) ON main.\(quoted(name)) BEGIN \
      INSERT INTO \(log) VALUES (\(values.joined(separator: ", "))); END;
      """
  }
}
