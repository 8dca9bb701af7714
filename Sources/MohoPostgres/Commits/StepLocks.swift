import MohoRows

/// The locks of a step on the tables that observers read.
///
/// A snapshot does not see the rows of a table that is truncated or rewritten after the snapshot
/// was taken. Locks prevent that, so a step locks the tables that observers have read before,
/// and then takes its snapshot. A table that is read for the first time is locked later.
///
/// A step never waits for a lock. It would delay all observers, and a transaction that waits
/// while it has other locks can cause deadlocks of other programs.
///
/// Not `Sendable`: use it only on the queue of the feed.
final class StepLocks {
  private let log: PostgresLogSchema
  private let names: TableNames
  /// The tables that were locked before the snapshot was taken, or nil outside of steps.
  private var lockedAtStart: Set<String>?
  private var held: Set<String> = []

  /// What an observer reads in a step.
  struct Reads {
    /// The tables that it has read.
    var tables: Set<String> = []
    /// The first error of a lock that was not available.
    var failure: (any Error)?
  }

  /// The reads of the observer that is running. An observer can create others.
  private var reads: [Reads] = []

  init(_ log: PostgresLogSchema) {
    self.log = log
    names = TableNames(log.tables.map(\.name))
  }

  /// Begins a step whose transaction has locked tables.
  func begin(with tables: Set<String>) { (lockedAtStart, held) = (tables, tables) }

  func end() { (lockedAtStart, held) = (nil, []) }

  /// Forgets the locks that end when the transaction returns to the savepoint of the step.
  func returnToSavepoint() { held = lockedAtStart ?? [] }

  /// Runs a closure of an observer, and returns what it has read.
  ///
  /// - Throws: ``LockedTables`` if a table could not be locked, and the errors of the closure.
  func recordingReads<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, reads: Reads) {
    let (result, reads) = recordingReads { Swift.Result { try body() } }
    // The closure may have caught the error.
    if let failure = reads.failure { throw LockedTables(cause: failure) }
    return (try result.get(), reads)
  }

  /// Runs a closure of an observer, and returns what it has read.
  func recordingReads<Result>(_ body: () -> Result) -> (result: Result, reads: Reads) {
    reads.append(Reads())
    let result = body()
    let own = reads.removeLast()
    if let outer = reads.indices.last {
      reads[outer].tables.formUnion(own.tables)
      reads[outer].failure = reads[outer].failure ?? own.failure
    }
    return (result, own)
  }

  /// Locks the tables of a statement, unless the step has locked them.
  ///
  /// - Throws: A `StoreError` with the code `busy` if others have locked a table, or have
  ///   truncated it after the snapshot was taken.
  func lockTables(of sql: String, on connection: PostgresConnection) throws {
    if lockedAtStart != nil { try lock(names.tables(in: sql), on: connection) }
  }

  /// Locks tables, unless the step has locked them.
  ///
  /// - Throws: The errors of ``lockTables(of:on:)``.
  func lock(_ tables: Set<String>, on connection: PostgresConnection) throws {
    guard let lockedAtStart else { return }
    if let reader = reads.indices.last { reads[reader].tables.formUnion(tables) }
    let missing = tables.subtracting(held)
    if missing.isEmpty { return }
    // The statements of this method need no locks.
    self.lockedAtStart = nil
    defer { self.lockedAtStart = lockedAtStart }
    try connection.execute(Self.statement(missing, log))
    try checkNotRewritten(missing, on: connection)
    held.formUnion(missing)
  }

  /// Records that a lock was not available.
  func noteFailure(_ error: any Error) {
    if let reader = reads.indices.last, reads[reader].failure == nil {
      reads[reader].failure = error
    }
  }

  /// Whether the step has locked tables.
  func hasLocked(_ tables: Set<String>) -> Bool { tables.isSubset(of: held) }

  /// Runs a closure that reads tables for several observers.
  func withoutRecordingReads<Result>(_ body: () throws -> Result) rethrows -> Result {
    reads.append(Reads())
    defer { reads.removeLast() }
    return try body()
  }

  /// Returns the statements that begin the transaction of a step, and lock tables.
  static func beginning(
    _ tables: Set<String>, _ log: PostgresLogSchema, on connection: PostgresConnection
  ) -> [PostgresQuery] {
    var queries = [PostgresQuery("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")]
    if connection.isPooled { queries.append(PostgresQuery("SET LOCAL \(Self.setting)")) }
    if !tables.isEmpty { queries.append(PostgresQuery(statement(tables, log))) }
    return queries
  }

  /// The setting that limits the time for which a statement waits for a lock. SQL may not name
  /// all tables that it reads, and `REINDEX` locks indexes only. The time is shorter than the time
  /// after which the server looks for deadlocks, because it would end one of the programs.
  static let setting = "lock_timeout = '100ms'"

  /// Returns the statement that locks tables without waiting.
  static func statement(_ tables: Set<String>, _ log: PostgresLogSchema) -> String {
    let names = tables.sorted().map { log.qualified($0) }.joined(separator: ", ")
    return "LOCK TABLE \(names) IN ACCESS SHARE MODE NOWAIT"
  }

  // The catalog has the file of a table as the snapshot sees it, and the function returns the
  // current file, which does not change while the table is locked.
  private func checkNotRewritten(
    _ tables: Set<String>, on connection: PostgresConnection
  ) throws {
    let arguments = try log.arguments(naming: tables)
    let changed = try connection.query(
      """
      SELECT c.relname::text FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = ANY($2)
        AND pg_catalog.pg_relation_filenode(c.oid) IS DISTINCT FROM nullif(c.relfilenode, 0)
      """, arguments)
    guard let table = changed.first?.string(0) else { return }
    let error = StoreError(
      .busy, subject: table, reason: "the table was truncated or rewritten while it was read",
      suggestion: "try again")
    noteFailure(error)
    throw error
  }

  /// Returns those of the tables that other transactions have locked, or are waiting to lock, so
  /// that they cannot be read.
  func lockedTables(
    among tables: Set<String>, on connection: PostgresConnection
  ) throws -> Set<String> {
    let arguments = try log.arguments(naming: tables)
    let result = try connection.query(
      """
      SELECT DISTINCT c.relname::text FROM pg_catalog.pg_locks l
      JOIN pg_catalog.pg_class c ON c.oid = l.relation
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = ANY($2)
        AND l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock'
        AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
      """, arguments)
    return Set(result.rows.map { $0.string(0) })
  }
}

/// An error of an observer that has read a table which another transaction has locked or
/// truncated.
struct LockedTables: Error {
  let cause: any Error
}

/// Finds the tables whose names a statement contains.
struct TableNames: Sendable {
  /// The names as statements contain them between quotation marks.
  private let names: [Substring: String]
  private let namesWithQuotes: [String]

  init(_ names: [String]) {
    self.names = Dictionary(names.map { ($0[...], $0) }, uniquingKeysWith: { first, _ in first })
    namesWithQuotes = names.filter { $0.contains("\"") }
  }

  /// Returns the tables whose quoted names are in a statement. A column or a text can have the
  /// same name, so there may be more tables than the statement reads.
  func tables(in sql: String) -> Set<String> {
    var found = Set(namesWithQuotes.filter { sql.contains(quotedName($0)) })
    for part in sql.utf8.split(separator: UInt8(ascii: "\"")) {
      if let name = names[Substring(part)] { found.insert(name) }
    }
    return found
  }
}
