public import Foundation
public import MohoRows

/// The configuration of a store on PostgreSQL.
public struct PostgresConfiguration: Sendable {
  /// The isolation of the transactions that write.
  public enum Isolation: Sendable, CaseIterable {
    /// Transactions have the effect of running one after the other. This is the
    /// default.
    case serializable
    /// Each transaction reads one state. A transaction that writes a row that
    /// another one has changed since then runs again.
    case repeatableRead
    /// Each statement reads the latest committed state.
    case readCommitted

    /// The name of the isolation level in SQL.
    var name: String {
      switch self {
      case .serializable: "SERIALIZABLE"
      case .repeatableRead: "REPEATABLE READ"
      case .readCommitted: "READ COMMITTED"
      }
    }
  }

  /// The isolation of the transactions that write. Transactions that only read
  /// see one committed state.
  public var isolation = Isolation.serializable

  /// The maximum number of times that a transaction runs again if it conflicts
  /// with other transactions. The pauses between the runs are random, and grow
  /// to half a second.
  public var maximumRetryCount = 10

  /// The time that a statement may take in seconds, or nil for the setting of
  /// the server.
  public var statementTimeout: TimeInterval?

  /// The time that a statement may wait for a lock in seconds, or nil for the
  /// setting of the server.
  public var lockTimeout: TimeInterval?

  /// The maximum number of connections for reading.
  public var maximumReaderCount = 5

  /// The time to wait for the server when a lost connection is replaced, in
  /// seconds. The store tries again after pauses that grow to a second. It does
  /// not wait when it is opened, unless the server is just starting.
  public var reconnectTimeout: TimeInterval = 10

  /// A Boolean value indicating whether the store only reads. The declared
  /// tables must exist. Each write throws a `StoreError` with the code
  /// `StoreError.Code.readOnly`.
  public var isReadOnly = false

  /// A Boolean value indicating whether the tables are created if none of them
  /// exists. If it is false, opening the store throws a `StoreError` with the code
  /// `StoreError.Code.storeNotFound` instead, and writes nothing. A read-only store
  /// never creates tables.
  public var createsTables = true

  /// The way to handle differences between the tables of the database and the
  /// declarations.
  public var migrationPolicy = MigrationPolicy.inferred

  /// Renamed entities and keys.
  public var renamings: [Renaming] = []

  /// The migrations that an older database needs, in order.
  public var migrations: [Migration] = []

  /// The version of the declarations, or 0 if the app does not number its versions.
  ///
  /// The store records the greatest version that has opened it. Opening it with a smaller
  /// version throws a `StoreError` with the code `StoreError.Code.newerVersion`, and
  /// changes nothing. Increase the version whenever older apps must no longer open the
  /// store. The same error is thrown without a version if the store has run a migration
  /// that is in neither ``migrations`` nor ``formerMigrations``.
  ///
  /// Stores with other entities in the same database have versions of their own.
  public var version = 0

  /// What opening the store does with stored rows that break the rules of their mappings.
  public var rulePolicy = RulePolicy.unchecked

  /// The names of migrations that were removed from ``migrations`` because no store needs
  /// them any longer. A greater ``version`` makes them unnecessary.
  public var formerMigrations: [String] = []

  /// Whether the store records its history. The default continues the history of a
  /// PostgreSQL schema that has one. A store that only reads does not change it.
  ///
  /// Beginning and ending the history waits until all transactions that have written to the
  /// tables have ended. See <doc:StoringOnPostgreSQL>.
  public var history = HistoryPolicy.unchanged

  /// A closure that is called during a migration. If it throws, the migration is
  /// rolled back.
  public var onMigrationProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Whether a table that no store has created, but that has the name of an
  /// entity, may be changed to match its declaration.
  ///
  /// A table that matches its declaration is always used as it is. It can have
  /// columns, constraints and indexes that are not declared. They remain.
  public var adoptsExistingTables = false

  /// The log of statements, or nil to log no statements. Statements that open
  /// the store, and those that find the commits of others, are not logged.
  public var log: StatementLog?

  /// A closure that is called before each statement, except those that begin and
  /// end transactions.
  var onStatement: (@Sendable (String) -> Void)?

  /// Creates a configuration. Set the properties afterwards.
  public init() {}

  /// The statements that set up a connection.
  var sessionSettings: [String] {
    func milliseconds(_ seconds: TimeInterval) -> Int {
      // 0 would mean no limit. NaN becomes 1.
      Int(min(max(1, seconds * 1_000), 2_147_483_647))
    }
    var settings: [String] = []
    if let statementTimeout {
      settings.append("SET statement_timeout = \(milliseconds(statementTimeout))")
    }
    if let lockTimeout { settings.append("SET lock_timeout = \(milliseconds(lockTimeout))") }
    return settings
  }
}
