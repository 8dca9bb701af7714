import Foundation
import MohoMapping
import MohoRows

/// Reads the changes between two snapshots from the log.
struct LogReader: Sendable {
  let log: PostgresLogSchema
  private let tables: [String: RecordedTable]

  init(_ log: PostgresLogSchema) {
    self.log = log
    tables = Dictionary(log.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The state of a transaction.
  struct Step {
    let snapshot: PostgresSnapshot
    let changes: LoggedChanges
    /// Whether all changes since the given snapshot have been recorded and are
    /// still in the log.
    let isRegistered: Bool
  }

  /// Begins a transaction, and reads the changes that its snapshot sees and an
  /// older one does not.
  ///
  /// - Parameter old: The older snapshot, or nil to read no changes.
  func begin(
    since old: PostgresSnapshot?, _ registration: ListenerRegistration,
    on connection: PostgresConnection
  ) throws -> Step {
    var queries = [PostgresQuery("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")]
    if !log.tables.isEmpty {
      // A snapshot does not see the rows of a table that is truncated after the
      // snapshot was taken. The lock prevents that.
      let names = log.tables.map { log.qualified($0.name) }.joined(separator: ", ")
      queries.append(PostgresQuery("LOCK TABLE \(names) IN ACCESS SHARE MODE"))
    }
    var arguments = PostgresArguments()
    try arguments.append(.string(registration.id.uuidString), as: .uuid)
    queries.append(
      PostgresQuery(
        """
        SELECT pg_catalog.pg_current_snapshot()::text,
          coalesce((SELECT expires >= clock_timestamp() FROM \(log.listeners) WHERE id = $1), false)
        """, arguments))
    if let old { queries.append(try changes(since: old)) }
    let results = try connection.queries(queries)
    let row = results[results.count - (old == nil ? 1 : 2)].first
    guard let row, let snapshot = PostgresSnapshot(row.string(0)) else {
      throw StoreError(.database, reason: "the server did not return a snapshot")
    }
    var changes = LoggedChanges(tables)
    if old != nil, let rows = results.last?.rows {
      for row in rows { Self.append(row, to: &changes) }
    }
    return Step(snapshot: snapshot, changes: changes, isRegistered: row.bool(1))
  }

  // The condition finds exactly the transactions that the older snapshot does not
  // see. A number of a transaction that has not ended has no visible rows.
  private func changes(since old: PostgresSnapshot) throws -> PostgresQuery {
    var arguments = PostgresArguments()
    try arguments.append(String(old.xmax))
    var condition = "xid >= $1::text::xid8"
    if !old.inProgress.isEmpty {
      try arguments.append(old.inProgress.map { String($0) })
      condition += " OR xid = ANY($2::text[]::xid8[])"
    }
    return PostgresQuery("\(selection) WHERE \(condition) ORDER BY seq", arguments)
  }

  private var selection: String {
    "SELECT \"table\", kind, row_id, row_ids, old FROM \(log.log)"
  }

  /// Returns the rows that the current transaction has written to a table, or nil
  /// if it has written none.
  func unreportedRows(in table: String, on connection: PostgresConnection) throws -> RowWriteSet? {
    var arguments = PostgresArguments()
    try arguments.append(table)
    let result = try connection.query(
      selection + " WHERE xid = pg_catalog.pg_current_xact_id_if_assigned()"
        + " AND \"table\" = $1 ORDER BY seq", arguments)
    var changes = LoggedChanges(tables)
    for row in result.rows { Self.append(row, to: &changes) }
    return changes.tables[table]
  }

  private static func append(_ row: PostgresRow, to changes: inout LoggedChanges) {
    guard let kind = LogRow.Kind(rawValue: Int16(truncatingIfNeeded: row.int64(1))) else { return }
    let entry = LogRow(
      table: row.string(0), kind: kind, rowID: row.optionalInt64(2),
      rowIDs: row.isNull(3) ? [] : row.int64s(3))
    if row.isNull(4) { return changes.append(entry, old: nil) }
    row.withBytes(4) { changes.append(entry, old: $0) }
  }
}
