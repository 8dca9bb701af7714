import MohoMapping
import MohoRows

/// The rows of a query: all at once, or in batches from a cursor of the server.
///
/// With a cursor, other statements can run between the batches. The cursor is
/// closed at the end of the rows, and at the latest with the transaction.
final class PostgresRows {
  private let session: PostgresSession
  private let query: SQLQuery
  /// The name of the server's cursor, after its first batch.
  private var cursor: String?
  private var isAtEnd = false

  init(_ session: PostgresSession, _ query: SQLQuery) {
    self.session = session
    self.query = query
  }

  deinit { close() }

  private func close() {
    guard let cursor else { return }
    self.cursor = nil
    // An aborted or ended transaction has closed the cursor.
    session.close(cursor)
  }

  /// Returns the next rows, up to a limit. The result has fewer rows only at the
  /// end.
  func next(_ limit: Int) throws -> PostgresResult? {
    if isAtEnd { return nil }
    let result: PostgresResult
    if limit == .max && cursor == nil {
      result = try session.query(query)
      isAtEnd = true
    } else {
      let name = try cursor ?? open()
      result = try session.connection.query(
        "FETCH FORWARD \(min(limit, Int(Int32.max))) FROM \(name)")
      isAtEnd = result.rowCount < limit
    }
    if isAtEnd { close() }
    return result
  }

  private func open() throws -> String {
    let name = session.newCursorName()
    let declaration = "DECLARE \(name) NO SCROLL CURSOR FOR \(query.sql)"
    _ = try session.query(SQLQuery(declaration, query.arguments))
    cursor = name
    return name
  }
}

/// Reads models from the rows of a query.
///
/// Models without relations are read directly from the result. Other models are
/// read in batches with their related rows.
final class PostgresModelCursor<Model: MappedModel>: ModelCursor {
  private let rows: PostgresRows
  private let decoder: PostgresRowDecoder
  private let graph: GraphReader?

  /// - Parameter query: A query that selects the columns of
  ///   `ModelNode.selection(in:)`.
  init(_ session: PostgresSession, _ query: SQLQuery) throws {
    rows = PostgresRows(session, query)
    let entity = try session.schema.compiled.node(of: Model.self).entity.entity
    decoder = PostgresRowDecoder(entity: entity, keys: Model.mapping.fieldKeys)
    graph =
      Model.mapping.hasRelations ? try GraphReader(Model.self, session, session.schema) : nil
  }

  func read(_ limit: Int, into models: inout [Model]) throws -> Bool {
    guard let result = try rows.next(limit) else { return false }
    let count = result.rowCount
    models.reserveCapacity(models.count + count)
    if let graph {
      let columns = StoredValueReader(result)
      for start in stride(from: 0, to: count, by: GraphReader.batchSize) {
        let batch = try (start..<min(count, start + GraphReader.batchSize)).map { row in
          StoredRow(graph.root, try columns.values(result[row], from: 0))
        }
        models += try graph.models(of: batch)
      }
    } else {
      try decoder.read(Model.self, result, into: &models)
    }
    return count == limit
  }
}

extension PostgresRowDecoder {
  /// Appends the models of all rows of a result.
  func read<Model: MappedModel>(
    _ model: Model.Type, _ result: PostgresResult, into models: inout [Model]
  ) throws {
    open(result)
    defer { close() }
    let count = result.rowCount
    var row = 0
    try Model.mapping.read(into: &models, from: self, texts) {
      guard row < count else { return false }
      move(to: row)
      row += 1
      return true
    }
  }
}
