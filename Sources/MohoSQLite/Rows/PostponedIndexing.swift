import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// The full-text indexes of a connection that are updated at the end of a call.
///
/// FTS5 collects words in memory, and writes them to its table when a savepoint
/// begins. Each statement with a trigger that writes the table begins one, so that
/// the words of a single row are written at a time, which takes several times as
/// long. A call that writes several rows of an entity therefore postpones the
/// updates of its index: triggers only record the identities of the written rows,
/// and a few statements update the index at the end of the call.
///
/// Triggers decide by the contents of a table. Rollbacks restore it together with
/// the rows, and other connections never see that updates are postponed, because
/// the call ends before its transaction.
// `@unchecked`: only the queue of the connection uses the object.
final class PostponedIndexing: @unchecked Sendable {
  /// The indexes whose updates have been postponed.
  private var indexes: [SearchIndex] = []
  /// Whether a call is running that updates the indexes at its end.
  private var isPermitted = false

  /// Postpones the updates of an index.
  ///
  /// Has no effect if the database has another index, which a program with other
  /// declarations has built, or none. A rollback to a savepoint can undo this. Later
  /// rows are then indexed at once.
  fileprivate func postpone(_ index: SearchIndex, on database: Database) throws {
    guard isPermitted, database.isInsideTransaction, try Self.has(index, database) else { return }
    try Self.run([index.postponing], on: database)
    if !indexes.contains(index) { indexes.append(index) }
  }

  /// Updates the postponed indexes, so that they can be read.
  func update(on database: Database) throws {
    for index in indexes {
      let hasRows = try PreparedStatement(database, index.hasPostponedRows).hasRow()
      if hasRows { try Self.run(index.updates, on: database) }
    }
  }

  fileprivate func run<Result>(
    on database: Database, _ body: () throws -> Result
  ) throws -> Result {
    if isPermitted { return try body() }
    isPermitted = true
    defer { (indexes, isPermitted) = ([], false) }
    do {
      let result = try body()
      try end(on: database)
      return result
    } catch {
      // The caller undoes everything, unless the app has committed the transaction.
      if !database.isInsideTransaction { try? end(on: database) }
      throw error
    }
  }

  private func end(on database: Database) throws {
    if indexes.isEmpty { return }
    try update(on: database)
    try Self.run(indexes.map(\.endOfPostponing), on: database)
  }

  /// Runs statements without changing the last inserted row ID, which is that of a
  /// row of the app.
  private static func run(_ statements: [String], on database: Database) throws {
    let last = sqlite3_last_insert_rowid(database.sqliteConnection)
    defer { sqlite3_set_last_insert_rowid(database.sqliteConnection, last) }
    for sql in statements { try PreparedStatement(database, sql).run() }
  }

  /// Returns whether a database has exactly an index.
  private static func has(_ index: SearchIndex, _ database: Database) throws -> Bool {
    let objects = index.objects
    let values = objects.map { _ in "(?, ?)" }.joined(separator: ", ")
    let query = SQLQuery(
      "SELECT 1 WHERE \(objects.count) = (SELECT count(*) FROM main.sqlite_schema"
        + " WHERE (name, sql) IN (VALUES \(values)))",
      objects.flatMap { [.string($0.name), .string($0.sql)] })
    let statement = try PreparedStatement(database, query)
    return try statement.hasRow()
  }
}

/// Runs a closure that writes rows, and permits it to postpone the updates of
/// full-text indexes to its end.
///
/// If the closure throws, the caller must undo its changes.
func withPostponedIndexing<Result>(
  _ database: Database, _ body: () throws -> Result
) throws -> Result {
  guard let indexing = ConnectionFunctions.postponedIndexing(of: database) else {
    return try body()
  }
  return try indexing.run(on: database, body)
}

/// Postpones the updates of an entity's full-text index after a writer has written two
/// rows.
struct RepeatedIndexing {
  private var pending: (index: SearchIndex, indexing: PostponedIndexing)?
  private var count = 0
  private let database: Database

  /// Has no effect for entities without an index, and outside of
  /// ``withPostponedIndexing(_:_:)``.
  init(of entity: Entity, _ database: Database) {
    self.database = database
    guard let index = SearchIndex(entity),
      let indexing = ConnectionFunctions.postponedIndexing(of: database)
    else { return }
    pending = (index, indexing)
  }

  /// Called after each statement that has written a row. A call that writes no row
  /// therefore leaves the database unchanged, and a single row is indexed at once.
  mutating func didWriteRow() throws {
    guard let (index, indexing) = pending else { return }
    count += 1
    if count < 2 { return }
    pending = nil
    try indexing.postpone(index, on: database)
  }
}
