/// What a commit changed, at most: rows whose values were written and left as
/// they were may be among them, and rows whose changes were rolled back to a
/// savepoint.
public struct CommittedChanges: Sendable {
  /// The rows that were written, by table.
  package let tables: [String: WrittenRows]

  /// Whether ``rows`` names every row whose values may differ from before.
  /// False where another process has written, or a table has been made, altered
  /// or dropped: any row may have changed then.
  public let isComplete: Bool

  /// The identities of the rows that were inserted, updated or deleted, by
  /// table.
  ///
  /// Where SQLite was built without its pre-update hook, rows that `REPLACE`
  /// has deleted are not among them, nor are the former identities of rows
  /// whose identity has changed.
  public var rows: [String: Set<Int64>] { tables.mapValues { Set($0.before.keys) } }
}
