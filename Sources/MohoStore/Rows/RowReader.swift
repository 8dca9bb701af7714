import GRDB
import GRDBSQLite
import MohoMapping

/// Steps through the rows of a query.
// SAFETY: `statement` belongs to the cursor, which this value holds.
struct RowSteps {
  let statement: OpaquePointer
  private let database: Database
  private let cursor: RowCursor
  private var isBegun = false
  private var isAtEnd = false

  init(_ database: Database, sql: String, _ arguments: [DatabaseValue]) throws {
    self.database = database
    var statement = try database.cachedStatement(sql: sql)
    // Whoever steps through the rows of the same request further out must not
    // find the statement reset.
    if sqlite3_stmt_busy(statement.sqliteStatement) != 0 {
      statement = try database.makeStatement(sql: sql)
    }
    self.statement = statement.sqliteStatement
    cursor = try Row.fetchCursor(statement, arguments: StatementArguments(arguments))
  }

  /// Moves to the next row, if there is one.
  ///
  /// The cursor takes the first step, with all that GRDB does when a statement
  /// is run; the others are SQLite's own, which saves a fifth of the time of
  /// reading a row.
  mutating func next() throws -> Bool {
    if isAtEnd { return false }
    guard isBegun else {
      isBegun = true
      isAtEnd = try cursor.next() == nil
      return !isAtEnd
    }
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    isAtEnd = true
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
    return false
  }
}

/// Steps through the rows of a query and makes a model of each.
///
/// Rows without links are read straight from the statement. Others are read in
/// batches, with what they are linked to.
struct RowReader<Model: MappedModel> {
  private var steps: RowSteps
  private let decoder: RowFieldDecoder
  private let graph: GraphReader?

  /// - Parameter sql: Selects the columns of ``ModelBinding/selection(in:)``.
  init(
    _ database: Database, sql: String, _ arguments: [DatabaseValue], schema: Schema,
    entity: Entity
  ) throws {
    steps = try RowSteps(database, sql: sql, arguments)
    decoder = RowFieldDecoder(
      statement: steps.statement, entity: entity, keys: Model.mapping.keys)
    graph =
      Model.mapping.hasRelations ? try GraphReader(Model.self, database, schema) : nil
  }

  /// Appends the models of the next rows, at most so many.
  ///
  /// - Returns: Whether there may be more.
  mutating func read(_ limit: Int = .max, into models: inout [Model]) throws -> Bool {
    if let graph { return try read(limit, into: &models, by: graph) }
    var rest = limit
    var isAtEnd = false
    try Model.mapping.read(into: &models, from: decoder) {
      guard rest > 0 else { return false }
      rest -= 1
      isAtEnd = try !steps.next()
      return !isAtEnd
    }
    return !isAtEnd
  }

  private mutating func read(
    _ limit: Int, into models: inout [Model], by graph: GraphReader
  ) throws -> Bool {
    var rest = limit
    while rest > 0 {
      var rows: [StoredRow] = []
      while rows.count < min(rest, GraphReader.batchSize), try steps.next() {
        rows.append(graph.root(from: steps.statement))
      }
      if rows.isEmpty { return false }
      models += try graph.models(of: rows)
      rest -= rows.count
    }
    return true
  }
}
