import GRDB
import MohoMapping
import PostgresTesting

@testable import MohoPostgres
@testable import MohoRows
@testable import MohoSQLite

// What suites need in addition to the functions of stores, for the engine of the test.
// Statements that are shared quote the names of tables, and the names of columns with
// capital letters.

/// Creates an empty store.
package func emptyStore(
  _ models: any MappedModel.Type..., entities: [Entity] = [], history: HistoryPolicy = .unchanged
) throws -> ModelStore {
  try emptyStore(Schema(models, entities: entities), history: history)
}

/// Creates an empty store of declared entities.
package func emptyStore(entities: Entity...) throws -> ModelStore {
  try emptyStore(Schema([], entities: entities))
}

/// Creates an empty store, in memory or in a PostgreSQL schema of its own.
///
/// - Parameter log: The log of its statements.
package func emptyStore(
  _ schema: Schema, log: StatementLog? = nil, history: HistoryPolicy = .unchanged
) throws -> ModelStore {
  switch TestedEngine.current {
  case .sqlite:
    var configuration = StoreConfiguration()
    configuration.log = log
    configuration.history = history
    return try ModelStore(inMemory: schema, configuration: configuration)
  case .postgres:
    let recorder = StatementRecorder()
    var configuration = PostgresConfiguration()
    configuration.log = log
    configuration.history = history
    configuration.onStatement = { recorder.add($0) }
    let store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), schema, configuration)
    recorder.records(statementsOf: store)
    return store
  }
}

extension ModelStore {
  /// Whether the store is on PostgreSQL.
  package var isOnPostgres: Bool { engine is PostgresEngine }

  /// Calls a closure with the connection that writes, in a transaction.
  package func onConnection<Result>(
    sqlite: (Database) throws -> Result, postgres: (PostgresConnection) throws -> Result
  ) throws -> Result {
    guard isOnPostgres else { return try writer.unsafeReentrantWrite(sqlite) }
    return try write { writer in
      guard let session = writer.session as? PostgresSession else { throw CancellationError() }
      return try postgres(session.connection)
    }
  }

  /// Executes SQL in a transaction. On SQLite, the SQL can have savepoints.
  package func execute(_ sql: String) throws {
    try write { _ in
      try onConnection(sqlite: { try $0.execute(sql: sql) }, postgres: { try $0.execute(sql) })
    }
  }

  /// Executes SQL that changes a table without checking its constraints.
  package func executeUnchecked(_ sql: String, changing table: String) throws {
    try onConnection { database in
      try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
      try database.execute(sql: sql)
    } postgres: { connection in
      let checks = try connection.query(
        """
        SELECT conname FROM pg_constraint
        WHERE contype = 'c' AND conrelid = '\(quotedName(table))'::regclass
        """)
      for check in checks.rows {
        try connection.execute(
          "ALTER TABLE \(quotedName(table)) DROP CONSTRAINT \(quotedName(check.string(0)))")
      }
      try connection.execute(sql)
    }
  }

  /// Executes SQL so that no rule is checked: on SQLite outside of the store's transactions,
  /// on PostgreSQL without recording the changes.
  package func executeWithoutRules(_ sql: String) throws {
    try onConnection { database in
      try database.execute(sql: sql)
    } postgres: { connection in
      try connection.execute("SET LOCAL \(LogName.transactionTables) = ''")
      try connection.execute(sql)
    }
  }

  /// Executes SQL without foreign keys, as other programs do.
  package func executeWithoutForeignKeys(_ sql: String) throws {
    try onConnection { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
      try database.execute(sql: sql)
    } postgres: { connection in
      try connection.execute("SET LOCAL session_replication_role = replica")
      try connection.execute(sql)
      try connection.execute("SET LOCAL session_replication_role = origin")
    }
  }

  /// Makes insertions into a table fail.
  package func refuseInsertions(into table: String) throws {
    try execute(
      isOnPostgres
        ? "ALTER TABLE \(quotedName(table)) ADD CONSTRAINT refuse CHECK (false) NOT VALID"
        : """
        CREATE TRIGGER refuse BEFORE INSERT ON \(quotedName(table)) BEGIN \
        SELECT RAISE(ABORT, 'no'); END
        """)
  }

  package func allowInsertions(into table: String) throws {
    try execute(
      isOnPostgres
        ? "ALTER TABLE \(quotedName(table)) DROP CONSTRAINT refuse" : "DROP TRIGGER refuse")
  }

  /// Returns the rows of a query, with `|` between the values.
  package func values(_ sql: String) throws -> [String] {
    try onConnection(sqlite: { try $0.values(sql) }, postgres: { try $0.values(sql) })
  }

  /// Returns the rows of all tables of the schema, including link tables.
  package func dump() throws -> [String] {
    try onConnection(sqlite: { try $0.dump() }, postgres: { try $0.dump() })
  }

  /// Returns the number of rows of a table.
  package func count(_ table: String) throws -> Int {
    let sql = "SELECT count(*) FROM \(quotedName(table))"
    return try onConnection(
      sqlite: { try Int.fetchOne($0, sql: sql) ?? 0 },
      postgres: { try $0.query(sql).first?.int(0) ?? 0 })
  }

  /// Returns the names of a table's columns.
  package func columns(of table: String) throws -> [String] {
    try onConnection { database in
      try database.columns(in: table).map(\.name)
    } postgres: { connection in
      let names = try connection.query(
        """
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = '\(quotedName(table))'::regclass AND attnum > 0 AND NOT attisdropped
        ORDER BY attnum
        """)
      return names.rows.map { $0.string(0) }.filter { $0 != ReservedName.identity }
    }
  }

  /// Returns links to rows that do not exist. PostgreSQL has none.
  package func brokenLinks() throws -> [String] {
    isOnPostgres ? [] : try values("PRAGMA foreign_key_check")
  }

  /// Returns a value that changes when a row of a table is written, even if its
  /// values stay the same.
  package func writeMark(of table: String) throws -> String {
    let versions =
      "SELECT string_agg(xmin::text || ctid::text, ',' ORDER BY ctid) FROM \(quotedName(table))"
    return try onConnection(
      sqlite: { "\($0.totalChangesCount)" }, postgres: { try $0.values(versions).joined() })
  }

  /// Runs a closure and returns the statements that it executed.
  package func statements(_ body: () throws -> Void) throws -> [String] {
    if isOnPostgres { return try StatementRecorder.recorder(of: self).record(body) }
    let recorder = StatementRecorder()
    try writer.unsafeReentrantWrite { database in
      database.trace { event in
        if case .statement(let statement) = event { recorder.add(statement.sql) }
      }
    }
    defer { try? writer.unsafeReentrantWrite { $0.trace(nil) } }
    return try recorder.record(body)
  }
}
