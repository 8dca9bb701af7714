import GRDB
import MohoMapping
import MohoRows

/// A transaction on a connection. It is valid while a closure runs.
///
/// GRDB ends the process if a connection is used outside of its queue. If a
/// reader or writer is used after its closure has returned, it throws an error
/// instead, because its session has ended.
final class SQLiteSession: StoreSession {
  let statements: SchemaStatements
  var hasCheckedRules = false
  private var connection: Database?

  private init(_ database: Database, _ statements: SchemaStatements) {
    self.statements = statements
    connection = database
  }

  var schema: Schema { statements.schema }

  /// Runs a closure with a session.
  ///
  /// - Throws: A `StoreError` if a temporary table hides a table of the store.
  static func run<Result>(
    on database: Database, _ statements: SchemaStatements, _ body: (SQLiteSession) throws -> Result
  ) throws -> Result {
    try statements.checkTemporaryTables(of: database)
    return try unchecked(on: database, statements, body)
  }

  static func unchecked<Result>(
    on database: Database, _ statements: SchemaStatements, _ body: (SQLiteSession) throws -> Result
  ) rethrows -> Result {
    ConnectionFunctions.install(on: database)
    let session = SQLiteSession(database, statements)
    defer { session.connection = nil }
    return try body(session)
  }

  /// - Throws: A `StoreError` if the session has ended, or a `DatabaseError` if its
  ///   transaction was undone.
  var database: Database {
    get throws {
      guard let connection else { throw StoreError.endedSession }
      try RunningWrite.check(connection)
      return connection
    }
  }

  /// Runs a closure on the connection, and converts database errors into
  /// `StoreError`.
  ///
  /// A closure of the app may read while a call writes, so full-text indexes are
  /// updated first.
  func perform<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try withStoreErrors(on: nil, schema) {
      let database = try database
      if statements.hasSearchIndexes {
        try ConnectionFunctions.postponedIndexing(of: database)?.update(on: database)
      }
      return try body(database)
    }
  }
}

extension SQLiteSession {
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model> {
    try perform { database in
      let sql = try RequestSQL(request, schema, SQLiteDialect())
      let query = try sql.select(schema.compiled.node(of: Model.self).selection(in: sql.alias))
      return try SQLiteModelCursor(
        self, RowReader(database, query, schema: schema, entity: sql.entity))
    }
  }

  func delete(_ request: RowRequest) throws -> Int {
    let sql = try RequestSQL(request, schema, SQLiteDialect())
    let entity = try schema.compiled.requireEntity(request.entity)
    let needsDeleter = schema.compiled.needsDeleter(entity)
    let query = try needsDeleter ? sql.select([sql.identity]) : sql.delete
    return try perform { database in
      if needsDeleter {
        let ids = try database.identities(query)
        try database.delete(ids, of: entity, schema.compiled)
        return ids.count
      }
      let statement = try PreparedStatement(database, query)
      try statement.execute()
      return statement.changesCount
    }
  }

  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    try perform { database in
      let writer = try ModelWriter<Model>(database, schema)
      if let entity = writer.deletedInSteps {
        let ids = try Set(models.compactMap { try writer.identity(of: $0) })
        try database.delete(ids.sorted(), of: entity, schema.compiled)
        return ids.count
      }
      return try withSavepoint(database) { _ in
        try withPostponedIndexing(database) {
          try models.reduce(0) { try $0 + writer.delete($1) }
        }
      }
    }
  }
}

/// Reads models from the rows of a statement.
private final class SQLiteModelCursor<Model: MappedModel>: ModelCursor {
  private let session: SQLiteSession
  private var rows: RowReader<Model>

  init(_ session: SQLiteSession, _ rows: RowReader<Model>) {
    self.session = session
    self.rows = rows
  }

  func read(_ limit: Int, into models: inout [Model]) throws -> Bool {
    try session.perform { _ in try rows.read(limit, into: &models) }
  }
}

extension StoreReader {
  /// Runs a closure on the connection, and converts database errors into
  /// `StoreError`.
  func perform<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try sqlite.perform(body)
  }

  /// - Throws: A `StoreError` if the store is not an SQLite database.
  var sqlite: SQLiteSession {
    get throws {
      guard let session = session as? SQLiteSession else {
        throw StoreError(.invalidRequest, reason: "the store is not a SQLite database")
      }
      return session
    }
  }
}
