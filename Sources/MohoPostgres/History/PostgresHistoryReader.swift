import Foundation
import MohoMapping
import MohoRows

/// Reads the history in a transaction.
///
/// A token contains the number of the last change that its transaction saw, and the
/// transactions that were in progress. Changes with higher numbers, and those of the named
/// transactions, come after the token. All other changes up to that number were committed
/// before, were rolled back, or have been deleted.
///
/// A token is valid if its last change is still in the history or has been deleted, if no
/// deleted change comes after it, and if the server has not lost a commit that the token sees.
/// After another server has taken over, that is certain only if a later commit of the former
/// server has survived, because servers receive commits in order.
struct PostgresHistoryReader {
  private let connection: PostgresConnection
  private let schema: CompiledSchema
  private let history: PostgresHistorySchema
  private let keys: RecordedKeyFinder
  private let state: State

  /// The number of entries after which reading continues with other statements.
  private static let batchSize = 1_000

  /// What the transaction sees of the history.
  private struct State {
    let id: String
    let deleted: Int64
    let deletedTime: Int64
    /// The highest IDs of deleted transactions, from high to low.
    let deletedTransactions: [UInt64]
    let deletionCount: Int
    let snapshot: PostgresSnapshot
    /// The ID of the transaction itself, if it has written.
    let transaction: UInt64?
    let isOnReplica: Bool
    let timeline: Int
    /// The number of the last change and its time.
    let last: (sequence: Int64, time: Int64)?

    var end: Int64 { max(deleted, last?.sequence ?? 0) }
    var time: Int64 { last.flatMap { $0.sequence >= deleted ? $0.time : nil } ?? deletedTime }
  }

  /// - Throws: A `StoreError` if the store has no history.
  init(_ connection: PostgresConnection, _ schema: Schema) throws {
    let history = PostgresHistorySchema(schemaName: connection.schemaName)
    guard try connection.query(history.isRecorded).first?.bool(0) ?? false else {
      throw StoreError.noHistory
    }
    self.connection = connection
    self.schema = schema.compiled
    self.history = history
    keys = RecordedKeyFinder(PostgresRecordedKeys(connection, history), schema.compiled)
    state = try Self.state(history, connection)
  }

  private static func state(
    _ history: PostgresHistorySchema, _ connection: PostgresConnection
  ) throws -> State {
    let result = try connection.query(
      """
      SELECT s.id::text, s.server = \(history.server), s.deleted, s.deleted_date, s.deleted_xids,
        pg_catalog.pg_current_snapshot()::text, pg_catalog.pg_current_xact_id_if_assigned()::text,
        pg_catalog.pg_is_in_recovery(),
        CASE WHEN pg_catalog.pg_is_in_recovery()
          THEN greatest(l.timeline, (SELECT timeline_id FROM pg_catalog.pg_control_checkpoint()))
          ELSE \(PostgresHistorySchema.timeline) END,
        l.seq, l.date, s.deletions
      FROM \(history.state) s
      LEFT JOIN (SELECT seq, date, timeline FROM \(history.changes) ORDER BY seq DESC LIMIT 1) l
        ON true
      """)
    guard let row = result.first, let snapshot = PostgresSnapshot(row.string(5)) else {
      throw StoreError(.database, reason: "the server did not return a snapshot")
    }
    guard row.bool(1) else {
      throw StoreError(
        .noHistory, reason: "the database is a copy, and its history is that of another database",
        suggestion: "open the store once with write access, to begin another history")
    }
    return State(
      id: row.string(0), deleted: row.int64(2), deletedTime: row.milliseconds(3),
      deletedTransactions: row.int64s(4).map { UInt64(clamping: $0) }, deletionCount: row.int(11),
      snapshot: snapshot,
      transaction: row.optionalString(6).flatMap { UInt64($0) }, isOnReplica: row.bool(7),
      timeline: row.int(8), last: row.optionalInt64(9).map { ($0, row.milliseconds(10)) })
  }

  /// Returns the position after all changes.
  func currentToken() throws -> HistoryToken {
    token(state.end, state.time, try unseen(), [])
  }

  private func token(
    _ sequence: Int64, _ time: Int64, _ running: [UnseenTransactions],
    _ pending: [UnseenTransactions]
  ) -> HistoryToken {
    var unseen = running + pending
    // The transaction itself may write more changes.
    if let id = state.transaction, !pending.contains(where: { $0.first == id }) {
      unseen.append(UnseenTransactions(first: id, last: id, sequence: sequence))
    }
    return HistoryToken(
      history: state.id, sequence: sequence, time: time,
      unseen: unseen.sorted { $0.first < $1.first }, timeline: state.timeline,
      deletionCount: state.deletionCount)
  }

  /// Returns the transactions that may be in progress. A standby server does not know them, so
  /// they are all those without visible changes.
  private func unseen() throws -> [UnseenTransactions] {
    let snapshot = state.snapshot
    guard state.isOnReplica else {
      return snapshot.inProgress.filter { $0 != state.transaction }
        .map { UnseenTransactions(first: $0, last: $0) } + laterTransactions
    }
    var arguments = PostgresArguments()
    try arguments.append(String(snapshot.xmin))
    let seen = try connection.query(
      "SELECT DISTINCT xid FROM \(history.changes) WHERE xid >= $1::text::xid8 ORDER BY xid",
      arguments)
    var (ranges, next): ([UnseenTransactions], UInt64) = ([], snapshot.xmin)
    for id in seen.rows.map({ UInt64(clamping: $0.int64(0)) }) {
      if next < id { ranges.append(UnseenTransactions(first: next, last: id - 1)) }
      next = id + 1
    }
    ranges.append(UnseenTransactions(first: next, last: .max))
    return ranges
  }

  /// The transactions that follow the last one that has ended. They may be in progress, too.
  private var laterTransactions: [UnseenTransactions] {
    let start = state.snapshot.xmax
    guard let own = state.transaction, own >= start else {
      return [UnseenTransactions(first: start, last: .max)]
    }
    let before = start < own ? [UnseenTransactions(first: start, last: own - 1)] : []
    return before + [UnseenTransactions(first: own + 1, last: .max)]
  }
}

extension PostgresHistoryReader {
  /// - Throws: A `StoreError` if the token is not valid.
  func check(_ token: HistoryToken) throws {
    guard token.history == state.id, let unseen = token.unseen else {
      throw StoreError.foreignToken(
        "the token belongs to another store, or to an earlier history of the store")
    }
    guard (0...state.end).contains(token.sequence) else {
      throw StoreError.foreignToken(
        "the token is newer than the store, which may be an older copy of the database")
    }
    guard token.sequence >= state.deleted else { throw StoreError.deletedHistory }
    if token.sequence > state.deleted {
      guard try time(of: token.sequence) == token.time else {
        throw StoreError.foreignToken("the token belongs to another copy of the database")
      }
    }
    if token.timeline != state.timeline, try !hasSurvived(token) {
      throw StoreError.foreignToken(
        "another server has taken over, and may have lost changes before the token")
    }
    if token.deletionCount != state.deletionCount, try mayHaveDeleted(unseen) {
      throw StoreError.deletedHistory
    }
  }

  private func time(of sequence: Int64) throws -> Int64? {
    var arguments = PostgresArguments()
    arguments.append(sequence)
    return try connection.query(
      "SELECT date FROM \(history.changes) WHERE seq = $1", arguments
    ).first?.milliseconds(0)
  }

  /// Whether a change after a token was committed by the server that the token is from.
  private func hasSurvived(_ token: HistoryToken) throws -> Bool {
    guard let timeline = token.timeline, timeline < state.timeline else { return false }
    var arguments = try Self.arguments(token)
    arguments.append(Int64(timeline))
    return try connection.query(
      """
      SELECT EXISTS (SELECT FROM \(history.changes) h WHERE h.seq > $1 AND h.timeline = $5)
        OR EXISTS (SELECT FROM \(unseenChanges) WHERE h.timeline = $5)
      """, arguments
    ).first?.bool(0) ?? false
  }

  /// Whether one of the transactions that a token does not see may have been deleted after the
  /// token was made.
  ///
  /// Only the highest IDs of deleted transactions are known. A transaction with a lower ID that
  /// has ended, and that has no changes, may have been deleted.
  private func mayHaveDeleted(_ unseen: [UnseenTransactions]) throws -> Bool {
    let deleted = state.deletedTransactions
    if unseen.contains(where: { range in
      deleted.contains { range.first <= $0 && $0 <= range.last }
    }) {
      return true
    }
    guard deleted.count >= PostgresHistorySchema.recordedDeletionLimit, let lowest = deleted.last
    else {
      return false
    }
    let old = unseen.filter { $0.first < lowest }
    if old.contains(where: { $0.first != $0.last }) { return true }
    let ended = old.filter { state.isOnReplica || state.snapshot.sees($0.first) }
    if ended.isEmpty { return false }
    var arguments = PostgresArguments()
    try arguments.append(ended)
    return try connection.query(
      """
      SELECT bool_or(NOT EXISTS (
        SELECT FROM \(history.changes) h WHERE h.xid BETWEEN u.first AND u.last))
      FROM unnest($1::text[]::xid8[], $2::text[]::xid8[]) u (first, last)
      """, arguments
    ).first?.bool(0) ?? false
  }

  /// The arguments of queries with ``unseenChanges``.
  private static func arguments(_ token: HistoryToken) throws -> PostgresArguments {
    var arguments = PostgresArguments()
    arguments.append(token.sequence)
    try arguments.append(token.unseen ?? [])
    arguments.append((token.unseen ?? []).map(\.sequence))
    return arguments
  }

  /// The tables of a query of the changes `h` that come after a token although their numbers
  /// are not higher, because their transactions do not precede it.
  private var unseenChanges: String {
    """
    unnest($2::text[]::xid8[], $3::text[]::xid8[], $4::int8[]) u (first, last, seq)
      JOIN \(history.changes) h ON h.xid BETWEEN u.first AND u.last
        AND h.seq > u.seq AND h.seq <= $1
    """
  }
}

extension PostgresHistoryReader {
  /// The changes of a transaction by one author.
  private struct Group {
    var rows: [RecordedRow] = []
    let author: String?
    /// The number and the time of the last entry.
    var last: (sequence: Int64, time: Int64) = (0, 0)
  }

  /// Passes the transactions after a token to a closure, until it returns false.
  func forEach(
    since token: HistoryToken?, excluding authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws {
    var known: [UnseenTransactions]?
    try forEachGroup(since: token, excluding: authors) { group, position, pending in
      let changes = try group.rows.changes(in: schema, keys, time: group.last.time)
      if changes.isEmpty { return true }
      let running = try known ?? unseen()
      known = running
      // Transactions that have begun before the last one may have ended before it, too.
      let time = try position == group.last.sequence ? group.last.time : time(of: position) ?? 0
      return try body(
        HistoryTransaction(
          token: self.token(position, time, running, pending),
          date: HistoryChange.date(milliseconds: group.last.time), author: group.author,
          changes: changes))
    }
  }

  /// Passes the changes of the rows of an entity after a token to a closure: one for each row
  /// from its insertion to its deletion in a transaction.
  func forEachRow(
    of entity: String, since token: HistoryToken?, excluding authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws {
    try forEachGroup(since: token, excluding: authors) { group, _, _ in
      for row in group.rows.filter({ $0.entity == entity }).netRows {
        guard let kind = row.kind else { continue }
        try body(HistoryRowChange(row: row.row, kind: kind, keys: row.keys))
      }
      return true
    }
  }

  private func forEachGroup(
    since token: HistoryToken?, excluding authors: Set<String>,
    _ body: (Group, _ position: Int64, _ pending: [UnseenTransactions]) throws -> Bool
  ) throws {
    if let token { try check(token) }
    var position = token?.sequence ?? 0
    var pending = PendingTransactions(after: position)
    if let token { try appendUnseen(token, to: &pending) }
    while true {
      let transactions = pending.transactions(upTo: position)
      let groups = try groups(of: transactions, upTo: position)
      for transaction in transactions {
        let parts = groups[transaction.id] ?? []
        for (index, group) in parts.enumerated() {
          let isLast = index == parts.count - 1
          pending.read(transaction, upTo: isLast ? transaction.last : group.last.sequence)
          if let author = group.author, authors.contains(author) { continue }
          guard try body(group, pending.position, pending.unseen) else { return }
        }
      }
      guard position < state.end else { return }
      position = try appendBatch(after: position, to: &pending)
    }
  }

  /// Adds the transactions that a token does not see although they have changes before it.
  private func appendUnseen(
    _ token: HistoryToken, to pending: inout PendingTransactions
  ) throws {
    if token.unseen?.isEmpty ?? true { return }
    let result = try connection.query(
      """
      SELECT h.xid, min(h.seq), (SELECT max(l.seq) FROM \(history.changes) l WHERE l.xid = h.xid)
      FROM \(unseenChanges)
      GROUP BY h.xid
      """, Self.arguments(token))
    append(result, to: &pending)
  }

  /// Adds the transactions of the next entries.
  ///
  /// - Returns: The number of the last of these entries.
  private func appendBatch(
    after position: Int64, to pending: inout PendingTransactions
  ) throws -> Int64 {
    var arguments = PostgresArguments()
    arguments.append(position)
    arguments.append(state.end)
    let result = try connection.query(
      """
      SELECT h.xid, h.first, (SELECT max(l.seq) FROM \(history.changes) l WHERE l.xid = h.xid),
        e.seq
      FROM (
        SELECT coalesce((
          SELECT seq FROM \(history.changes) WHERE seq > $1 AND seq <= $2
          ORDER BY seq OFFSET \(Self.batchSize - 1) LIMIT 1), $2) AS seq) e,
        LATERAL (
          SELECT xid, min(seq) AS first FROM \(history.changes)
          WHERE seq > $1 AND seq <= e.seq GROUP BY xid) h
      """, arguments)
    append(result, to: &pending)
    return result.first?.int64(3) ?? state.end
  }

  /// Adds transactions with their first unread and last changes. Other changes before the first
  /// one precede the token.
  private func append(_ result: PostgresResult, to pending: inout PendingTransactions) {
    for row in result.rows {
      let id = UInt64(clamping: row.int64(0))
      // A transaction whose statements read the latest state sees later commits, too.
      guard id == state.transaction || state.snapshot.sees(id) else { continue }
      pending.append(
        PendingTransactions.Transaction(
          id: id, first: row.int64(1), last: min(row.int64(2), state.end)))
    }
  }

  /// Reads the changes of transactions. Those of a nested write with another author are a
  /// group of their own.
  private func groups(
    of transactions: [PendingTransactions.Transaction], upTo end: Int64
  ) throws -> [UInt64: [Group]] {
    if transactions.isEmpty { return [:] }
    var arguments = PostgresArguments()
    try arguments.append(transactions.map { String($0.id) })
    arguments.append(transactions.map(\.first))
    arguments.append(end)
    let result = try connection.query(
      """
      SELECT h.xid, h.seq, h.date, h.author, h.entity, h.kind, h.row_id, h.row_ids, h.keys, h.key
      FROM unnest($1::text[]::xid8[], $2::int8[]) t (xid, seq)
      JOIN \(history.changes) h ON h.xid = t.xid AND h.seq >= t.seq AND h.seq <= $3
      ORDER BY h.seq
      """, arguments)
    var groups: [UInt64: [Group]] = [:]
    for row in result.rows {
      let (id, author) = (UInt64(clamping: row.int64(0)), row.optionalString(3))
      var parts = groups.removeValue(forKey: id) ?? []
      if parts.last.map({ $0.author != author }) ?? true { parts.append(Group(author: author)) }
      parts[parts.count - 1].rows += try recordedRows(row)
      parts[parts.count - 1].last = (row.int64(1), row.milliseconds(2))
      groups[id] = parts
    }
    return groups
  }

  private func recordedRows(_ row: PostgresRow) throws -> [RecordedRow] {
    let entity = row.string(4)
    let kind = RecordedChange(rawValue: row.int64(5))?.kind
    let keys = row.isNull(8) ? [] : Set(row.strings(8))
    let key = try schema.entity(entity)?.key(recorded: row, 9) ?? []
    let ids = row.optionalInt64(6).map { [$0] } ?? row.int64s(7)
    return ids.map { id in
      RecordedRow(
        sequence: row.int64(1), time: row.milliseconds(2), entity: entity, row: id, kind: kind,
        keys: keys, key: key)
    }
  }
}

extension PostgresHistoryReader {
  /// Deletes transactions in the current transaction.
  func delete(before end: HistoryEnd) throws {
    let deletion = HistoryDeletion(history, connection)
    switch end {
    case .date(let date): while try !deletion.delete(before: date) {}
    case .token(let token):
      try check(token)
      try deletion.delete(upTo: token)
    }
  }
}

extension PostgresRow {
  /// A time in milliseconds since 1970.
  fileprivate func milliseconds(_ column: Int) -> Int64 {
    Int64((date(column).timeIntervalSince1970 * 1_000).rounded())
  }
}
