import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// A SQLite database that stores the rows of a store.
final class SQLiteEngine: StoreEngine {
  let statements: SchemaStatements
  let writer: any DatabaseWriter
  let path: String?
  let commitFeed: CommitFeed

  /// Prevents hard links to the file from being opened.
  private let registration: StoreFile.Registration?

  /// Prepares the tables of the schema.
  init(
    _ writer: any DatabaseWriter, path: String?, schema: Schema, _ migrator: Migrator
  ) throws {
    statements = SchemaStatements(schema)
    self.writer = writer
    self.path = path
    try withOpeningErrors(path, schema) { try migrator.prepare(writer) }
    registration = path.flatMap { StoreFile.Registration($0) }
    commitFeed = CommitFeed(
      writer: writer,
      statements: statements,
      interval: path == nil ? nil : migrator.configuration.externalChangesInterval,
      watchesLog: migrator.configuration.watchesLog,
      hook: migrator.configuration.usesPreupdateHook ? .available : nil)
  }

  var schema: Schema { statements.schema }

  /// Runs a closure in a read transaction, unless what it reads cannot change
  /// while it runs: inside a transaction, and on the only connection to a
  /// database in memory.
  func isolated<Result>(_ database: Database, _ body: () throws -> Result) throws -> Result {
    if path == nil || database.isInsideTransaction { return try body() }
    var result: Result?
    // Read-only, so that GRDB does not report the end of the transaction as a
    // commit: the observers may be the ones who read.
    try database.readOnly {
      try database.inTransaction(.deferred) {
        result = try body()
        return .commit
      }
    }
    guard let result else { throw StoreError(.database, reason: "the transaction did not run") }
    return result
  }

  func read<Result>(
    on database: Database, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try SQLiteSession.run(on: database, statements) { try body(StoreReader(session: $0)) }
  }
}
