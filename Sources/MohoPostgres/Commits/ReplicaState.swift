/// How far a standby server has followed its primary server.
struct ReplicaState {
  /// The position in the write-ahead log of the primary server.
  private let position: String
  private let snapshot: PostgresSnapshot

  static let query = """
    SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.pg_last_wal_replay_lsn()::text,
      pg_catalog.pg_current_snapshot()::text
    """

  /// - Parameter row: The row of ``query``.
  /// - Returns: Nil if the server is not a standby server.
  init?(_ row: PostgresRow?) {
    guard let row, row.bool(0), let snapshot = PostgresSnapshot(row.string(2)) else { return nil }
    position = row.string(1)
    self.snapshot = snapshot
  }

  /// Returns whether no transaction was committed after a snapshot that was taken
  /// after an earlier state.
  ///
  /// The position also grows without transactions. The snapshots of a standby server
  /// do not name the transactions in progress. They show all commits only if no
  /// transaction is in progress.
  func isSame(as earlier: ReplicaState, _ later: PostgresSnapshot) -> Bool {
    position == earlier.position
      || snapshot == later && snapshot.xmin == snapshot.xmax
  }
}
