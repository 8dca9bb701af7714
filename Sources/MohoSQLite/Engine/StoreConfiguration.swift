public import Foundation
public import MohoRows

/// How a store is opened.
public struct StoreConfiguration: Sendable {
  /// How long a call waits while another process has the database locked, in
  /// seconds.
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

  /// The log of the statements that the store runs, on all of its connections.
  /// The default is nil: statements are not logged.
  public var log: StatementLog?

  /// The size of each connection's page cache, in bytes; nil for SQLite's default
  /// of about 2 MB.
  ///
  /// A larger cache helps if you write many rows whose keys are not ordered, such
  /// as UUIDs: with 16 MB, importing 250,000 rows takes about three quarters of
  /// the time. There is one connection that writes and up to five that read, and
  /// each has its own cache.
  public var cacheSize: Int?

  /// Whether SQLite's pre-update hook is used if it is available.
  package var usesPreupdateHook = true

  /// Whether writes to the log trigger a check for external commits, on platforms
  /// that support file watching.
  package var watchesLog = true

  /// Whether the store only reads the file. The file must exist and have the
  /// declared tables. Each write throws `StoreError` of code
  /// `StoreError.Code.readOnly`.
  public var isReadOnly = false

  /// The number that identifies files of your application, as in SQLite's `PRAGMA
  /// application_id`. A new file gets this number. Opening a file with another
  /// number other than 0 throws, and leaves the file unchanged.
  public var applicationID: Int32 = 0

  /// What happens if the tables of the file differ from the declarations.
  public var migrationPolicy = MigrationPolicy.inferred

  /// The declared migrations of older files, oldest first.
  public var migrations: [Migration] = []

  /// Former names of entities and keys. Explicitly declared entities can state
  /// their former names themselves.
  public var renamings: [Renaming] = []

  /// Receives the progress of a migration, at least once for each step, and
  /// repeatedly while rows are written. If it throws, the migration ends and the
  /// file stays as it was.
  ///
  /// It is called on the queue of the writer, inside the transaction, and must
  /// not use the store.
  public var onMigrationProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Makes a configuration. Set other properties afterwards.
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
