/// What a commit changed, at most: rows whose values were written and left as
/// they were may be among them.
public struct CommittedChanges: Sendable {
  /// The identities of the rows that were inserted, updated or deleted, by
  /// table.
  public let rows: [String: Set<Int64>]

  /// Whether ``rows`` names every row whose values may differ from before.
  /// False where another process has written, or a table has been made, altered
  /// or dropped: any row may have changed then.
  public let isComplete: Bool
}
