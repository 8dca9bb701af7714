import GRDB
import GRDBSQLite
import MohoRows

/// The temporary tables and views of a connection that a store has not created.
///
/// SQLite looks up names among them first. One with the name of a table of the store
/// would hide the table, so a store does not use such a connection.
// `@unchecked`: only the queue of the connection uses the object.
final class TemporaryTables: @unchecked Sendable {
  private struct State {
    /// A number that changes with each commit.
    var dataVersion: UInt32
    /// A number that increases when tables are created, altered or dropped. Changes that are
    /// undone restore it, so it identifies committed states only.
    let schemaVersion: Int64
    let names: [FoldedName]
  }

  /// A committed state.
  private var committed: State?
  /// The last state, which may not be committed yet.
  private var last: State?

  /// Throws an error if a temporary table or view hides a table of a store.
  ///
  /// - Complexity: A function call, unless statements of the connection have used temporary
  ///   tables. Otherwise, a statement in transactions and after commits by others.
  static func check(_ database: Database, hiding tables: TableNames) throws {
    guard let connection = database.sqliteConnection, let version = dataVersion(of: connection)
    else { return }
    let known = ConnectionFunctions.temporaryTables(of: database) ?? TemporaryTables()
    let isCommitted = sqlite3_get_autocommit(connection) != 0
    for name in try known.names(version, isCommitted: isCommitted, database) {
      guard let reason = tables.reason(against: name) else { continue }
      throw StoreError(
        .invalidConnection, subject: "temporary table or view `\(name.text)`", reason: reason,
        suggestion: "give it another name, or drop it")
    }
  }

  /// Records that the transaction has been committed in which the last check was made, and
  /// that it has not changed temporary tables since then.
  static func commit(_ database: Database) {
    guard let connection = database.sqliteConnection, let version = dataVersion(of: connection),
      let known = ConnectionFunctions.temporaryTables(of: database), var last = known.last,
      sqlite3_get_autocommit(connection) != 0
    else { return }
    last.dataVersion = version
    known.committed = last
  }

  /// The data version of the temporary database, which SQLite creates when a statement first
  /// uses it. Nil if it does not exist.
  private static func dataVersion(of connection: OpaquePointer) -> UInt32? {
    var version: UInt32 = 0
    let code = sqlite3_file_control(connection, "temp", SQLITE_FCNTL_DATA_VERSION, &version)
    return code == SQLITE_OK ? version : nil
  }

  private func names(
    _ dataVersion: UInt32, isCommitted: Bool, _ database: Database
  ) throws -> [FoldedName] {
    if isCommitted, let committed, committed.dataVersion == dataVersion { return committed.names }
    let schemaVersion =
      try PreparedStatement(database, "PRAGMA temp.schema_version")
      .first { sqlite3_column_int64($0, 0) } ?? 0
    let isKnown = committed?.schemaVersion == schemaVersion
    let state = State(
      dataVersion: dataVersion, schemaVersion: schemaVersion,
      names: try isKnown ? committed?.names ?? [] : Self.names(in: database))
    last = state
    if isCommitted { committed = state }
    return state.names
  }

  private static func names(in database: Database) throws -> [FoldedName] {
    var names: [FoldedName] = []
    try PreparedStatement(database, "PRAGMA temp.table_list").forEachRow { statement in
      guard let text = sqlite3_column_text(statement, 1) else { return }
      let name = String(cString: text)
      if !isOfStore(name) { names.append(FoldedName(name)) }
    }
    return names
  }

  /// Whether a name is that of a temporary table which a store has created.
  private static func isOfStore(_ name: String) -> Bool {
    ["_moho_scope", "_moho_owners ", "_moho_saved ", "_moho_log ", RetainedDocuments.prefix]
      .contains(where: name.hasPrefix)
  }
}

extension SchemaStatements {
  /// Throws an error if a temporary table or view hides a table of the store.
  func checkTemporaryTables(of database: Database) throws {
    try TemporaryTables.check(database, hiding: tableNames)
  }
}
