import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Reads models from the rows of a query.
///
/// Models without relations are read directly from the statement. Other models
/// are read in batches with their related rows.
struct RowReader<Model: MappedModel> {
  private var rows: StatementRows
  private let decoder: RowFieldDecoder
  private let graph: GraphReader?

  /// - Parameter query: A query that selects the columns of
  ///   `ModelNode.selection(in:)`.
  init(
    _ database: Database, _ query: SQLQuery, schema: Schema, entity: Entity
  ) throws {
    rows = try StatementRows(database, query)
    decoder = RowFieldDecoder(
      statement: rows.statement, entity: entity, keys: Model.mapping.fieldKeys)
    graph =
      Model.mapping.hasRelations ? try GraphReader(Model.self, DatabaseRows(database), schema) : nil
  }

  /// Appends the models of the next rows, up to a limit.
  ///
  /// - Returns: Whether there may be more rows.
  mutating func read(_ limit: Int = .max, into models: inout [Model]) throws -> Bool {
    if let graph { return try read(limit, into: &models, by: graph) }
    var rest = limit
    var isAtEnd = false
    try Model.mapping.read(into: &models, from: decoder, decoder.texts) {
      guard rest > 0 else { return false }
      rest -= 1
      isAtEnd = try !rows.next()
      return !isAtEnd
    }
    return !isAtEnd
  }

  private mutating func read(
    _ limit: Int, into models: inout [Model], by graph: GraphReader
  ) throws -> Bool {
    var rest = limit
    while rest > 0 {
      var batch: [StoredRow] = []
      while batch.count < min(rest, GraphReader.batchSize), try rows.next() {
        batch.append(StoredRow(graph.root, rows.statement))
      }
      if batch.isEmpty { return false }
      models += try graph.models(of: batch)
      rest -= batch.count
    }
    return true
  }
}

/// Reads linked rows from a connection.
struct DatabaseRows: LinkedRowSource {
  private let database: Database

  init(_ database: Database) { self.database = database }

  var dialect: any SQLDialect { SQLiteDialect() }

  func forEachRow(
    of query: SQLQuery, valueCount: Int, _ body: (Int64, [StoredValue]) throws -> Void
  ) throws {
    try StatementRows.forEach(of: query, database) { statement in
      try body(
        sqlite3_column_int64(statement, 0),
        StoredValue.row(of: statement, from: 1, count: valueCount))
    }
  }
}
