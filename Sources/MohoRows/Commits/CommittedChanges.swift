/// The rows that a commit may have changed. They may include rows that were
/// written without a change, and rows whose changes were rolled back to a
/// savepoint.
///
/// Commits of other connections and processes that are detected together are
/// reported as one, and as one with a commit of the store that is detected with
/// them. They include exactly the rows whose values differ.
public struct CommittedChanges: Sendable {
  /// The rows that were written, by table.
  package let tables: [String: RowWriteSet]

  /// Whether ``tables`` has all tables in which rows may have changed. Their sets say whether
  /// they have all rows.
  package let hasAllTables: Bool

  /// Whether ``rows`` names every row whose values may differ from before.
  ///
  /// False if a table was created, altered or dropped: any row may have
  /// changed. Also false for commits of other connections and processes if no
  /// earlier snapshot exists to compare with:
  /// - the database is not in write-ahead logging mode, or is read-only,
  /// - `StoreConfiguration.externalChangesInterval` is infinite,
  /// - the file cannot be opened again, for example because it is encrypted,
  /// - the write-ahead log has reached eight times its limit because others
  ///   read older snapshots; until it is short again.
  ///
  /// Also false if SQLite was built without its pre-update hook.
  ///
  /// On PostgreSQL, false
  /// - after `TRUNCATE`,
  /// - after a migration by another store,
  /// - after the connection was lost for more than a minute, to a server that has
  ///   crashed or was replaced, or while observers received a commit,
  /// - on standby servers, whenever a transaction was committed,
  /// - after a commit of a transaction that had begun to write before the store was
  ///   observed.
  public var isComplete: Bool { hasAllTables && tables.values.allSatisfy(\.isComplete) }

  /// The identities of the rows that were inserted, updated or deleted, by
  /// table.
  ///
  /// If SQLite was built without its pre-update hook, the set lacks rows that
  /// `REPLACE` deletes and the former identities of rows whose identity has
  /// changed.
  public var rows: [String: Set<Int64>] { tables.mapValues(\.rows) }

  /// The written rows that observers of the commit have read.
  let deltas = RowDeltaCache()

  package init(tables: [String: RowWriteSet], hasAllTables: Bool) {
    self.tables = tables
    self.hasAllTables = hasAllTables
  }
}

extension CommittedChanges {
  /// The number of ``rows``.
  package var rowCount: Int { tables.values.reduce(0) { $0 + $1.rows.count } }

  /// Returns the changes of two consecutive commits as the changes of a single
  /// commit.
  package func followed(by later: CommittedChanges) -> CommittedChanges {
    CommittedChanges(
      tables: tables.merging(later.tables) { $0.followed(by: $1) },
      hasAllTables: hasAllTables && later.hasAllTables)
  }
}
