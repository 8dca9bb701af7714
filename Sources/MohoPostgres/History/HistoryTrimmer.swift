import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// Deletes changes that have reached the maximum age from the history, after a write and in a
/// transaction of its own.
///
/// One call deletes a limited number of changes. Calls do nothing until a part of the maximum
/// age has passed, unless old changes are left.
final class HistoryTrimmer: Sendable {
  private let maximumAge: TimeInterval
  /// The time from one deletion to the next, in seconds.
  private let pause: TimeInterval
  private let history: PostgresHistorySchema
  private let lock: String
  private let nextDeletion = Lock(Date.distantPast)

  init(maximumAge: TimeInterval, schemaName: String) {
    self.maximumAge = maximumAge
    pause = HistoryPolicy.deletionInterval(maximumAge: maximumAge)
    history = PostgresHistorySchema(schemaName: schemaName)
    lock =
      "SELECT pg_catalog.pg_try_advisory_xact_lock(pg_catalog.hashtextextended("
      + "\(quotedText("moho history \(schemaName)")), 0))"
  }

  /// - Parameter withConnection: Calls a closure with a connection that is not in a
  ///   transaction.
  func run(_ withConnection: ((PostgresConnection) throws -> Void) throws -> Void) throws {
    guard beginPause() else { return }
    try withConnection { connection in
      // Transactions of other isolation levels conflict with others that delete changes.
      let isDone = try connection.inTransaction("ISOLATION LEVEL READ COMMITTED, READ WRITE") {
        guard try connection.query(lock).first?.bool(0) ?? false else { return true }
        let limit = Date.now.addingTimeInterval(-maximumAge)
        return try HistoryDeletion(history, connection).delete(before: limit)
      }
      if !isDone { nextDeletion.withLock { $0 = .distantPast } }
    }
  }

  /// Begins a pause, so that a deletion that fails is not repeated after each write.
  ///
  /// - Returns: False if the last pause has not ended.
  private func beginPause() -> Bool {
    nextDeletion.withLock { next in
      guard next <= .now else { return false }
      next = .now.addingTimeInterval(pause)
      return true
    }
  }
}

/// Deletes changes from the history in the current transaction, with statements of limited
/// length. Transactions are deleted as a whole.
struct HistoryDeletion {
  private let history: PostgresHistorySchema
  private let connection: PostgresConnection

  /// The number of entries of the history that one statement deletes.
  static let limit = 10_000

  init(_ history: PostgresHistorySchema, _ connection: PostgresConnection) {
    self.history = history
    self.connection = connection
  }

  /// Deletes some of the transactions whose changes were all made before a date.
  ///
  /// - Returns: Whether none is left.
  func delete(before date: Date) throws -> Bool {
    var arguments = PostgresArguments()
    try arguments.append(.date(date), as: .timestamptz)
    // Dates hardly ever decrease, so no entry after the first later one is read.
    return try delete(
      """
      SELECT h.seq, h.xid, h.date FROM \(history.changes) h
      WHERE h.seq < coalesce((
          SELECT seq FROM \(history.changes) WHERE date >= $1 ORDER BY seq LIMIT 1
        ), \(Int64.max))
        AND (
          SELECT l.date FROM \(history.changes) l WHERE l.xid = h.xid
          ORDER BY l.seq DESC LIMIT 1) < $1
      """, arguments)
  }

  /// Deletes the transactions that precede a token with all of their changes.
  func delete(upTo token: HistoryToken) throws {
    var arguments = PostgresArguments()
    arguments.append(token.sequence)
    try arguments.append(token.unseen ?? [])
    let selection = """
      SELECT h.seq, h.xid, h.date FROM \(history.changes) h
      WHERE h.seq <= $1 AND NOT EXISTS (
        SELECT FROM unnest($2::text[]::xid8[], $3::text[]::xid8[]) u (first, last)
        WHERE h.xid BETWEEN u.first AND u.last)
      AND NOT EXISTS (
        SELECT FROM \(history.changes) l WHERE l.xid = h.xid AND l.seq > $1)
      """
    while try !delete(selection, arguments) {}
  }

  /// - Parameter selection: A query of the changes to delete.
  /// - Returns: Whether none is left.
  private func delete(_ selection: String, _ arguments: PostgresArguments) throws -> Bool {
    let sql = """
      WITH old AS (\(selection) ORDER BY h.seq LIMIT \(Self.limit)),
        deleted AS (
          DELETE FROM \(history.changes) WHERE xid IN (SELECT xid FROM old)
          RETURNING seq, xid, date),
        recorded AS (\(history.deletionRecord(of: "SELECT * FROM deleted")))
      SELECT count(*) FROM old
      """
    return try connection.query(sql, arguments).first?.int(0) ?? 0 < Self.limit
  }
}

extension PostgresArguments {
  /// Appends the first and the last IDs of transactions, as two arrays of texts.
  mutating func append(_ transactions: [UnseenTransactions]) throws {
    try append(transactions.map { String($0.first) })
    try append(transactions.map { String($0.last) })
  }
}
