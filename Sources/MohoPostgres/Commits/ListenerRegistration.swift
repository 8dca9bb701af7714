import Foundation
import MohoRows

/// The entry of a listener in the table of listeners. While an entry has not
/// expired, changes are recorded, and no change that the listener needs is
/// deleted.
///
/// The table is locked while entries are written, so that the time until which
/// changes are recorded is never before the time at which an entry expires. The
/// locks end with the transactions.
struct ListenerRegistration: Sendable {
  let id = UUID()
  let log: PostgresLogSchema

  /// The number of seconds that an entry is valid. A listener that was disconnected
  /// for a shorter time receives exactly the changes that it has missed.
  static let duration = 60
  /// The number of seconds after which entries are renewed.
  static let renewalInterval = 20

  init(_ log: PostgresLogSchema) { self.log = log }

  private var key: String { "'\(id.uuidString)'" }

  /// Begins to record changes.
  ///
  /// - Parameter isPolling: Whether the listener polls.
  func begin(polling isPolling: Bool, on connection: PostgresConnection) throws {
    try transact(
      on: connection,
      """
      DELETE FROM \(log.listeners) WHERE expires < clock_timestamp();
      INSERT INTO \(log.listeners) (id, position, expires, polls)
        VALUES (\(key), pg_snapshot_xmin(pg_current_snapshot()), \(expires), \(isPolling));
      \(updatePolled);
      \(extend);
      \(prune)
      """)
  }

  /// Extends the entry, and deletes the changes that no listener needs.
  ///
  /// - Parameter snapshot: The snapshot up to which the listener has received
  ///   changes.
  /// - Returns: False if the entry has expired.
  func renew(upTo snapshot: PostgresSnapshot, on connection: PostgresConnection) throws -> Bool {
    // An entry that has expired is not renewed: changes may not have been recorded.
    try transact(
      on: connection,
      """
      UPDATE \(log.listeners) SET position = '\(snapshot.xmin)', expires = \(expires)
        WHERE id = \(key) AND expires >= clock_timestamp();
      DELETE FROM \(log.listeners) WHERE expires < clock_timestamp();
      \(updatePolled);
      \(extend);
      \(prune)
      """)
    let entry = try connection.query(
      "SELECT expires >= clock_timestamp() FROM \(log.listeners) WHERE id = \(key)")
    return entry.first?.bool(0) ?? false
  }

  /// Records whether the listener polls. After it has ended polling, transactions that are in
  /// progress may still be committed without a notification.
  func setPolling(_ isPolling: Bool, on connection: PostgresConnection) throws {
    try transact(
      on: connection,
      "UPDATE \(log.listeners) SET polls = \(isPolling) WHERE id = \(key); \(updatePolled)")
  }

  /// Removes the entry. If it is the last one, changes are no longer recorded.
  func end(on connection: PostgresConnection) throws {
    try transact(
      on: connection,
      """
      DELETE FROM \(log.listeners) WHERE id = \(key) OR expires < clock_timestamp();
      \(updatePolled);
      SELECT setval(\(quotedText(log.end)), 0) WHERE NOT EXISTS (SELECT FROM \(log.listeners));
      \(prune);
      \(log.deletion(where: "NOT EXISTS (SELECT FROM \(log.listeners))"))
      """)
  }

  /// Makes transactions notify the listeners, unless all listeners poll.
  private var updatePolled: String {
    "SELECT setval(\(quotedText(log.polled)), CASE WHEN bool_and(polls) THEN 1 ELSE 0 END)"
      + " FROM \(log.listeners)"
  }

  /// Less than the time until which changes are recorded, which is a whole number of
  /// seconds.
  private var expires: String { "clock_timestamp() + interval '\(Self.duration - 1) seconds'" }

  private var extend: String {
    "SELECT setval(\(quotedText(log.end)), greatest(last_value,"
      + " (extract(epoch FROM clock_timestamp()) + \(Self.duration))::int8)) FROM \(log.end)"
  }

  private var prune: String {
    log.deletion(where: "xid < (SELECT min(position) FROM \(log.listeners))")
  }

  private func transact(on connection: PostgresConnection, _ sql: String) throws {
    do {
      try connection.execute(
        // Another listener may be deleting many changes.
        "BEGIN READ WRITE; SET LOCAL lock_timeout = '30s';"
          + " LOCK TABLE \(log.listeners) IN SHARE ROW EXCLUSIVE MODE; \(sql); COMMIT")
    } catch {
      try? connection.executeUncanceled("ROLLBACK")
      throw error
    }
  }

  /// Returns the transactions that may have changed rows before changes were
  /// recorded: those that have locked a table for writing.
  ///
  /// A transaction that has no lock has not changed a row. If it does so later,
  /// the change is recorded. Must be called after ``begin(polling:on:)`` and before the
  /// first snapshot is taken.
  ///
  /// - Returns: The lower 32 bits of the IDs.
  func unrecordedTransactions(on connection: PostgresConnection) throws -> Set<UInt32> {
    let arguments = try log.arguments(naming: log.tables.map(\.name))
    let result = try connection.query(
      """
      SELECT DISTINCT x.transactionid::text::int8 FROM pg_catalog.pg_locks l
      JOIN pg_catalog.pg_class c ON c.oid = l.relation
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_locks x ON x.virtualtransaction = l.virtualtransaction
      WHERE n.nspname = $1 AND c.relname = ANY($2) AND l.locktype = 'relation' AND l.granted
        AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
        AND l.mode IN
          ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        AND x.locktype = 'transactionid' AND x.mode = 'ExclusiveLock' AND x.granted
      """, arguments)
    return Set(result.rows.map { UInt32(truncatingIfNeeded: $0.int64(0)) })
  }
}
