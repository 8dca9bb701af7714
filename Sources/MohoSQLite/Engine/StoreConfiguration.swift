public import Foundation
public import MohoRows

/// The configuration of a store.
public struct StoreConfiguration: Sendable {
  /// The time that a call waits while another process has locked the database,
  /// in seconds.
  public var busyTimeout: TimeInterval

  /// The time between two checks for commits of other connections and processes,
  /// in seconds. A store in a file performs these checks while it is observed: at
  /// most a thousand per second, and none if the interval is infinite. Each commit
  /// of the store's own connection performs a check too. On Linux, the store also
  /// detects external commits a few milliseconds after they are made, if the log
  /// is in a local file system.
  ///
  /// A check takes about ten microseconds. If there was a commit, the store
  /// compares the states before and after it. This takes time in proportion to
  /// the number of rows in all tables, on the writer's queue. For the comparison,
  /// an observed store has two more connections to the file, and keeps a snapshot
  /// of the last reported state open, unless the interval is infinite. See
  /// `CommittedChanges.isComplete` for when this is not possible. A checkpoint
  /// that waits for all readers of the log, such as GRDB's `.truncate`, may not
  /// succeed while the snapshot is open.
  public var externalChangesInterval: TimeInterval

  /// The log of the statements that the store runs on all of its connections.
  /// The default is nil, which means that statements are not logged.
  public var log: StatementLog?

  /// The size of each connection's page cache in bytes, or nil for SQLite's
  /// default of about 2 MB.
  ///
  /// A larger cache helps if you write many rows with unordered keys, such as
  /// UUIDs. For example, with 16 MB, importing 250,000 rows takes about three
  /// quarters of the time. A store has one connection for writing and up to
  /// five for reading, and each has its own cache.
  public var cacheSize: Int?

  /// Whether SQLite's pre-update hook is used if it is available.
  package var usesPreupdateHook = true

  /// Whether writes to the log trigger a check for external commits, on platforms
  /// that support file watching.
  package var watchesLog = true

  /// The minimum time between two checks of the log before writes, in seconds.
  package var logCheckInterval = 0.001

  /// A Boolean value indicating whether the store only reads the file. The file
  /// must exist and contain the declared tables. Each write throws a
  /// `StoreError` with the code `StoreError.Code.readOnly`.
  public var isReadOnly = false

  /// A Boolean value indicating whether the file and the tables are created if they do not
  /// exist. If it is false, opening the store throws a `StoreError` with the code
  /// `StoreError.Code.storeNotFound` instead, and writes nothing. Ignored by stores in memory.
  public var createsTables = true

  /// The number that identifies files of your application, as in SQLite's
  /// `PRAGMA application_id`. A new file gets this number. Opening a file with
  /// a different number other than 0 throws an error and does not change the
  /// file.
  public var applicationID: Int32 = 0

  /// The way to handle differences between the tables of the file and the
  /// declarations.
  public var migrationPolicy = MigrationPolicy.inferred

  /// The declared migrations of older files, in execution order.
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

  /// The former names of entities and keys. Explicitly declared entities can
  /// declare their own former names.
  public var renamings: [Renaming] = []

  /// Whether the store records its history. The default continues the history of
  /// a file that has one. A store that only reads does not change it.
  public var history = HistoryPolicy.unchanged

  /// A closure that receives the progress of a migration, at least once per
  /// step and repeatedly while rows are written. If it throws, the migration is
  /// canceled and the file is unchanged.
  ///
  /// The closure is called on the queue of the writer, inside the transaction.
  /// It must not use the store.
  public var onMigrationProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Creates a configuration. Set the other properties afterwards.
  public init(
    busyTimeout: TimeInterval = 5, externalChangesInterval: TimeInterval = 0.1,
    isReadOnly: Bool = false, migrationPolicy: MigrationPolicy = .inferred,
    migrations: [Migration] = [], renamings: [Renaming] = []
  ) {
    self.busyTimeout = busyTimeout
    self.externalChangesInterval = externalChangesInterval
    self.isReadOnly = isReadOnly
    self.migrationPolicy = migrationPolicy
    self.migrations = migrations
    self.renamings = renamings
  }
}
