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
    var changes: LoggedChanges
    /// The number of transactions that have made the changes.
    let transactionCount: Int
    /// Whether all changes since the given snapshot have been recorded and are
    /// still in the log.
    let isRegistered: Bool
  }

  /// Begins a transaction, and reads the changes that its snapshot sees and an
  /// older one does not.
  ///
  /// - Parameters:
  ///   - old: The older snapshot, or nil to read no changes.
  ///   - tables: The tables to lock before the snapshot is taken.
  func begin(
    since old: PostgresSnapshot?, _ registration: ListenerRegistration,
    locking tables: Set<String>, on connection: PostgresConnection
  ) throws -> Step {
    var queries = StepLocks.beginning(tables, log, on: connection)
    var arguments = PostgresArguments()
    try arguments.append(.string(registration.id.uuidString), as: .uuid)
    queries.append(
      PostgresQuery(
        """
        SELECT pg_catalog.pg_current_snapshot()::text,
          coalesce((SELECT expires >= clock_timestamp() FROM \(log.listeners) WHERE id = $1), false)
        """, arguments))
    let stateIndex = queries.count - 1
    if let old { queries.append(try changes(since: old)) }
    queries.append(PostgresQuery("SAVEPOINT \(CommitListener.savepoint)"))
    let results = try connection.queries(queries)
    let row = results[stateIndex].first
    guard let row, let snapshot = PostgresSnapshot(row.string(0)) else {
      throw StoreError(.database, reason: "the server did not return a snapshot")
    }
    var changes = LoggedChanges(self.tables)
    var transactions: Set<Int64> = []
    if old != nil {
      for row in results[stateIndex + 1].rows {
        Self.append(row, to: &changes)
        transactions.insert(row.int64(5))
      }
    }
    return Step(
      snapshot: snapshot, changes: changes, transactionCount: transactions.count,
      isRegistered: row.bool(1))
  }

  private func changes(since old: PostgresSnapshot) throws -> PostgresQuery {
    var arguments = PostgresArguments()
    let condition = try condition(since: old, &arguments)
    let selection = Self.selection(from: log.log, adding: ", xid")
    return PostgresQuery("\(selection) WHERE \(condition) ORDER BY seq", arguments)
  }

  /// A query whose only value is whether there are changes since a snapshot.
  func hasChanges(since old: PostgresSnapshot) throws -> PostgresQuery {
    var arguments = PostgresArguments()
    let condition = try condition(since: old, &arguments)
    return PostgresQuery("SELECT EXISTS (SELECT FROM \(log.log) WHERE \(condition))", arguments)
  }

  // The condition finds exactly the transactions that the older snapshot does not
  // see. A number of a transaction that has not ended has no visible rows.
  private func condition(
    since old: PostgresSnapshot, _ arguments: inout PostgresArguments
  ) throws -> String {
    try arguments.append(String(old.xmax))
    if old.inProgress.isEmpty { return "xid >= $1::text::xid8" }
    try arguments.append(old.inProgress.map { String($0) })
    return "(xid >= $1::text::xid8 OR xid = ANY($2::text[]::xid8[]))"
  }

  /// Returns those of the tables that do not exist.
  func missingTables(
    among tables: Set<String>, on connection: PostgresConnection
  ) throws -> Set<String> {
    let arguments = try log.arguments(naming: tables)
    let result = try connection.query(
      """
      SELECT name FROM unnest($2::text[]) name WHERE NOT EXISTS (
        SELECT FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = name)
      """, arguments)
    return Set(result.rows.map { $0.string(0) })
  }

  private static func selection(from log: String, adding columns: String = "") -> String {
    "SELECT \"table\", kind, row_id, row_ids, old\(columns) FROM \(log)"
  }

  /// Returns the number of the last entry in the log of the current transaction.
  static func lastEntry(on connection: PostgresConnection) throws -> Int64 {
    try connection.query("SELECT coalesce(max(seq), 0) FROM \(TransactionLog.table)")
      .first?.int64(0) ?? 0
  }

  /// Returns the rows that the current transaction has recorded in its own log.
  ///
  /// - Parameters:
  ///   - tables: The tables that rules may read.
  ///   - entry: The number of the last entry to ignore, or 0.
  func rowsWrittenInTransaction(
    to tables: [CompiledTable], after entry: Int64, on connection: PostgresConnection
  ) throws -> CommittedChanges {
    var arguments = PostgresArguments()
    arguments.append(entry)
    let entries = PostgresQuery(
      "\(Self.selection(from: TransactionLog.table)) WHERE seq > $1 ORDER BY seq", arguments)
    let results = try connection.queries([entries, hasUnrecordedRows(of: tables)])
    var changes = LoggedChanges(self.tables)
    for row in results[0].rows { Self.append(row, to: &changes) }
    return CommittedChanges(
      tables: changes.tables.filter { name, _ in tables.contains { $0.name == name } },
      hasAllTables: results[1].first?.bool(0) == false)
  }

  /// Returns a query whose only value is whether the transaction may have written rows that it
  /// has not recorded: another role has changed a table, or a store with other declarations has
  /// migrated it.
  private func hasUnrecordedRows(of tables: [CompiledTable]) throws -> PostgresQuery {
    var arguments = PostgresArguments()
    try arguments.append(tables.map { log.qualified($0.name) })
    let prefix = quotedText(LogName.transactionTrigger(""))
    return PostgresQuery(
      """
      SELECT pg_catalog.current_setting('\(LogName.hasUnrecordedRows)', true) IS NOT DISTINCT FROM 'true'
        OR EXISTS (
          SELECT FROM unnest($1::text[]) AS t (name), pg_catalog.to_regclass(t.name) AS c (oid)
          WHERE c.oid IS NOT NULL AND \(TriggerEvent.allCases.count) > (
            SELECT count(*) FROM pg_catalog.pg_trigger g
            WHERE g.tgrelid = c.oid AND g.tgenabled = 'A'
              AND pg_catalog.starts_with(g.tgname, \(prefix))))
      """, arguments)
  }

  /// Returns the rows that the current transaction has written to a table, or nil
  /// if it has written none.
  func unreportedRows(in table: String, on connection: PostgresConnection) throws -> RowWriteSet? {
    var arguments = PostgresArguments()
    try arguments.append(table)
    let result = try connection.query(
      Self.selection(from: log.log) + " WHERE xid = pg_catalog.pg_current_xact_id_if_assigned()"
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
