/// What a commit changed, at most: rows whose values were written and left as
/// they were may be among them, and rows whose changes were rolled back to a
/// savepoint.
///
/// Commits of other connections and processes that are noticed together are
/// told as one, and with one of the store's own where that is noticed with them.
/// Of those, exactly the rows are told whose values differ.
public struct CommittedChanges: Sendable {
  /// The rows that were written, by table.
  package let tables: [String: WrittenRows]

  /// Whether ``rows`` names every row whose values may differ from before.
  ///
  /// False where a table has been made, altered or dropped: any row may have
  /// changed then. False of commits of other connections and processes too,
  /// where no earlier state is held that could be compared with the new one:
  /// - the database is not in write-ahead logging mode, or only read,
  /// - ``StoreConfiguration/externalChangesInterval`` is infinite,
  /// - the file cannot be opened once more as it is, as one that is encrypted,
  /// - the log has become eight times as long as SQLite lets it, because others
  ///   read or hold older states; until it is short again.
  public let isComplete: Bool

  /// The identities of the rows that were inserted, updated or deleted, by
  /// table.
  ///
  /// Where SQLite was built without its pre-update hook, rows that `REPLACE`
  /// has deleted are not among them, nor are the former identities of rows
  /// whose identity has changed.
  public var rows: [String: Set<Int64>] { tables.mapValues(\.rows) }
}
