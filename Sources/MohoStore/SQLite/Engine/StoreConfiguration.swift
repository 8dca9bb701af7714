public import Foundation

/// How a store is opened.
public struct StoreConfiguration: Sendable {
  /// How long a call waits for a lock that another process holds, in seconds.
  public var busyTimeout: TimeInterval

  /// How often a store in a file looks for commits of other connections and
  /// processes while something observes it, in seconds; at most a thousand times
  /// a second, and never where it is infinite. They are noticed with each commit
  /// of the store's own as well, and on Linux some milliseconds after they were
  /// made, where the log lies in a file system of the same machine.
  ///
  /// A look costs some ten microseconds. Where there was a commit, the state
  /// before it is compared with the new one, which costs time in proportion to
  /// the number of rows of all tables, on the writer's queue. For that the store
  /// keeps two more connections to the file while something observes it, and
  /// holds the state open that was told last, after each commit of its own too;
  /// not where the interval is infinite. See ``CommittedChanges/isComplete`` for
  /// when it cannot. A checkpoint that waits until nobody reads from the log, as
  /// GRDB's `.truncate` does, may wait in vain then.
  public var externalChangesInterval: TimeInterval

  /// The log of the statements that the store runs, on all of its connections;
  /// none unless set.
  public var log: StatementLog?

  /// How much of the file each connection keeps in memory, in bytes; nil for
  /// SQLite's own choice, about 2 MB.
  ///
  /// More pays where many rows are written by keys that come in no order, such
  /// as UUIDs: importing 250,000 rows takes about three quarters of the time with
  /// 16 MB. There is one connection that writes and up to five that read, and
  /// each may take as much.
  public var cacheSize: Int?

  /// Whether SQLite's pre-update hook is used where there is one.
  package var usesPreupdateHook = true

  /// Whether commits elsewhere are looked for when the log is written to, where
  /// the platform tells of that.
  package var watchesLog = true

  /// Whether the file is only read. It must be there and have the tables that
  /// are declared; each write throws ``StoreError`` of code
  /// ``StoreError/Code/readOnly``.
  public var isReadOnly = false

  /// The number by which the file's application tells its files from others, as
  /// SQLite's `PRAGMA application_id`. A file with another number, 0 aside, is
  /// refused and left as it is; a file that is made gets it.
  public var applicationID: Int32 = 0

  /// What becomes of a store whose tables are not those that are declared.
  public var migrationPolicy = MigrationPolicy.inferred

  /// The steps that lead from older stores to what is declared, oldest first.
  public var migrations: [Migration] = []

  /// Names that entities and keys had before. Entities that are declared by
  /// hand can say so themselves.
  public var renamings: [Renaming] = []

  /// Is told how far a migration is, at least once a step and again and again
  /// where rows are written. What it throws ends the migration, and leaves the
  /// store as it was.
  ///
  /// It is called on the queue of the writer, inside the transaction, and must
  /// not use the store.
  public var onMigrationProgress: (@Sendable (MigrationProgress) throws -> Void)?

  /// Makes a configuration; what is not among the parameters is set afterwards.
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
