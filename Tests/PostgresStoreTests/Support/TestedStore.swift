import MohoMapping
import PostgresTesting
import Synchronization

@testable import MohoPostgres
@testable import MohoRows

// The functions that suites need in addition to the store's own ones. They are
// those of `MohoStoreTests`, for stores on PostgreSQL.

/// Whether integers may be greater than `Int64.max`.
let storesUnsignedIntegers = true

/// Whether columns store all bits of dates.
let storesExactDates = false

/// Whether texts may contain U+0000.
let storesNullCharacters = false

/// Whether the identities of the rows that a plan inserts are used again.
let plansUseNoIdentities = false

/// Whether SQL steps of migrations apply delete rules.
let migrationsApplyDeleteRules = true

/// The number of random deletions in a quick test.
let deletionSeedCount = 6

/// Creates an empty store in a schema of its own.
func emptyStore(
  _ models: any MappedModel.Type..., entities: [Entity] = []
) throws -> ModelStore {
  try emptyStore(Schema(models, entities: entities))
}

/// Creates an empty store of declared entities.
func emptyStore(entities: Entity...) throws -> ModelStore {
  try emptyStore(Schema([], entities: entities))
}

func emptyStore(_ schema: Schema) throws -> ModelStore { try emptyStore(schema, log: nil) }

/// Creates an empty store that logs its statements.
func emptyStore(_ schema: Schema, log: StatementLog?) throws -> ModelStore {
  let recorder = StatementRecorder()
  var configuration = PostgresConfiguration()
  configuration.log = log
  // Suites for all engines have such keys.
  configuration.ignoresSearchableKeys = true
  configuration.onStatement = { recorder.add($0) }
  let store = try ModelStore(
    postgres: PostgresServer.shared().emptySchema(), schema, configuration)
  StatementRecorder.ofStores.withLock { $0[ObjectIdentifier(store)] = recorder }
  return store
}

/// The statements that a store executes while they are recorded.
final class StatementRecorder: Sendable {
  /// The recorders of all stores. A new store replaces the recorder of a store that no
  /// longer exists.
  static let ofStores = Mutex<[ObjectIdentifier: StatementRecorder]>([:])

  private let recorded = Mutex<[String]?>(nil)

  func add(_ statement: String) { recorded.withLock { $0?.append(statement) } }

  /// Returns the statements that are executed while a closure runs.
  func record(_ body: () throws -> Void) rethrows -> [String] {
    recorded.withLock { $0 = [] }
    defer { recorded.withLock { $0 = nil } }
    try body()
    return recorded.withLock { $0 ?? [] }
  }
}

extension ModelStore {
  private func onConnection<Result>(
    _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    try write { writer in
      guard let session = writer.session as? PostgresSession else { throw CancellationError() }
      return try body(session.connection)
    }
  }

  /// Executes SQL in a transaction.
  func execute(_ sql: String) throws { try onConnection { try $0.execute(sql) } }

  /// Executes SQL that changes a table without checking its constraints.
  func executeUnchecked(_ sql: String, changing table: String) throws {
    try onConnection { connection in
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

  /// Executes SQL whose changes are not recorded, so that no rule is checked.
  func executeWithoutRules(_ sql: String) throws {
    try onConnection { connection in
      try connection.execute("SET LOCAL \(LogName.transactionTables) = ''")
      try connection.execute(sql)
    }
  }

  /// Executes SQL without foreign keys.
  func executeWithoutForeignKeys(_ sql: String) throws {
    try onConnection { connection in
      try connection.execute("SET LOCAL session_replication_role = replica")
      try connection.execute(sql)
      try connection.execute("SET LOCAL session_replication_role = origin")
    }
  }

  /// Makes insertions into a table fail.
  func refuseInsertions(into table: String) throws {
    try execute("ALTER TABLE \(quotedName(table)) ADD CONSTRAINT refuse CHECK (false) NOT VALID")
  }

  func allowInsertions(into table: String) throws {
    try execute("ALTER TABLE \(quotedName(table)) DROP CONSTRAINT refuse")
  }

  /// Returns the rows of a query, with `|` between the values.
  func values(_ sql: String) throws -> [String] { try onConnection { try $0.values(sql) } }

  /// Returns the rows of all tables of the schema, including link tables.
  func dump() throws -> [String] { try onConnection { try $0.dump() } }

  /// Returns the number of rows of a table.
  func count(_ table: String) throws -> Int {
    try onConnection {
      try $0.query("SELECT count(*) FROM \(quotedName(table))").first?.int(0) ?? 0
    }
  }

  /// Returns the names of a table's columns.
  func columns(of table: String) throws -> [String] {
    try onConnection { connection in
      let names = try connection.query(
        """
        SELECT attname::text FROM pg_attribute
        WHERE attrelid = '\(quotedName(table))'::regclass AND attnum > 0 AND NOT attisdropped
        ORDER BY attnum
        """)
      return names.rows.map { $0.string(0) }.filter { $0 != ReservedName.identity }
    }
  }

  /// Returns links to rows that do not exist.
  func brokenLinks() throws -> [String] { [] }

  /// Returns a value that changes when a row of a table is written, even if its
  /// values stay the same.
  func writeMark(of table: String) throws -> String {
    try values(
      "SELECT string_agg(xmin::text || ctid::text, ',' ORDER BY ctid) FROM \(quotedName(table))"
    )
    .joined()
  }

  /// Runs a closure and returns the statements that it executed.
  func statements(_ body: () throws -> Void) throws -> [String] {
    let recorder = StatementRecorder.ofStores.withLock { $0[ObjectIdentifier(self)] }
    guard let recorder else { throw CancellationError() }
    return try recorder.record(body)
  }
}
