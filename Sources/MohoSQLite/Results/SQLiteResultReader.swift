import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// Reads a result with cached statements.
final class SQLiteResultReader: ResultReader {
  let sql: ResultSQL
  private let evaluation: IntegerListStatement
  private let comparison: CachedStatement
  private let models: IntegerListStatement

  /// The statements that find predecessors in an index, or nil if no index
  /// supports them. They are created when they are first needed, because each
  /// of them requires a query plan.
  private let lookups = Lock<PredecessorLookup??>(nil)

  init(_ sql: ResultSQL) {
    self.sql = sql
    evaluation = IntegerListStatement(sql.evaluation)
    comparison = CachedStatement(sql.comparison)
    models = IntegerListStatement(sql.models)
  }

  func scan(
    _ reader: StoreReader, limit: Int?,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws {
    let query = SQLQuery(sql.scan.sql + (limit.map { " LIMIT \($0)" } ?? ""), sql.scan.arguments)
    var batch = SectionBatch(content: sql.section)
    try reader.sqlite.forEachRow(of: query) { statement in
      if sql.isSectioned { try batch.enter(StoredValue(statement, 1), body) }
      batch.rowIDs.append(sqlite3_column_int64(statement, 0))
      if batch.rowIDs.count == 1_024 { try batch.end(body) }
    }
    try batch.end(body)
  }

  func place(
    _ rowIDs: Set<Int64>, _ reader: StoreReader, searching search: PredecessorSearch
  ) throws -> [PositionedRow] {
    if let rows = try rowsWithPredecessors(rowIDs, reader) { return rows }
    let rows = try evaluate(rowIDs, reader)
    let predecessors =
      rows.hasIndex
      ? try rows.predecessors()
      : try search(rows.rowIDs.count, 1) { try $0.map(rows.precedes) }
    return rows.rowIDs.indices.map { index in
      PositionedRow(
        rowID: rows.rowIDs[index], predecessor: predecessors[index],
        section: rows.section(ofRowAt: index))
    }
  }

  /// Returns those of the given rows that are in the result, or nil if a single statement
  /// cannot find their predecessors.
  private func rowsWithPredecessors(
    _ rowIDs: Set<Int64>, _ reader: StoreReader
  ) throws -> [PositionedRow]? {
    try reader.perform { database in
      guard let predecessors = try lookups(on: database)?.predecessors else { return nil }
      var rows: [PositionedRow] = []
      rows.reserveCapacity(rowIDs.count)
      try predecessors.prepared(for: rowIDs, on: database).forEachRow { statement in
        let predecessor = SQLiteValue(statement, 1)
        rows.append(
          PositionedRow(
            rowID: sqlite3_column_int64(statement, 0),
            predecessor: predecessor.isNull ? nil : predecessor.int64,
            section: sql.isSectioned ? sql.section(StoredValue(statement, 2)) : .null))
      }
      return rows
    }
  }

  private func evaluate(_ rowIDs: Set<Int64>, _ reader: StoreReader) throws -> EvaluatedRows {
    try reader.perform { database in
      var rows: [[StoredValue]] = []
      var sections: [StoredValue]? = sql.hasSeparateSection ? [] : nil
      let columns = 0..<Int32(sql.terms.count)
      try evaluation.prepared(for: rowIDs, on: database).forEachRow { statement in
        rows.append(columns.map { StoredValue(statement, $0) })
        sections?.append(StoredValue(statement, columns.upperBound))
      }
      return try EvaluatedRows(
        rows, sections: sections, sql, comparison: comparison.prepared(on: database),
        levels: lookups(on: database)?.levels
          .map { try $0.map { try $0.prepared(on: database) } } ?? [])
    }
  }

  func forEachRow(
    among rowIDs: Set<Int64>, _ reader: StoreReader,
    _ body: (_ rowID: Int64, _ values: [FieldContent]) throws -> Void
  ) throws {
    if rowIDs.isEmpty { return }
    let identity = Int32(sql.terms.count - 1)
    let first = identity + (sql.hasSeparateSection ? 2 : 1)
    let types = sql.request.request.selection.map(\.type)
    try reader.perform { database in
      try evaluation.prepared(for: rowIDs, on: database).forEachRow { statement in
        let rowID = sqlite3_column_int64(statement, identity)
        try body(
          rowID,
          try types.enumerated().map { index, type in
            try StoredValue(statement, first + Int32(index))
              .content(as: type, column: index, ofRow: rowID)
          })
      }
    }
  }

  func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], _ reader: StoreReader
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    var (found, models): ([Int64], [Model]) = ([], [])
    if rowIDs.isEmpty { return (found, models) }
    found.reserveCapacity(rowIDs.count)
    let mapping = Model.mapping
    try reader.perform { database in
      let statement = try self.models.prepared(for: rowIDs, on: database)
      guard !mapping.hasRelations else {
        let graph = try GraphReader(model, DatabaseRows(database), reader.schema)
        var rows: [StoredRow] = []
        try statement.forEachRow { rows.append(StoredRow(graph.root, $0)) }
        found = rows.map(\.id)
        models = try graph.models(of: rows)
        return
      }
      models.reserveCapacity(rowIDs.count)
      let decoder = RowFieldDecoder(
        statement: statement.pointer, entity: sql.entity, keys: mapping.fieldKeys)
      let identity = Int32(mapping.keys.count)
      defer { statement.reset() }
      try mapping.read(into: &models, from: decoder, decoder.texts) {
        guard try statement.step() else { return false }
        found.append(sqlite3_column_int64(statement.pointer, identity))
        return true
      }
    }
    return (found, models)
  }

  private func lookups(on database: Database) throws -> PredecessorLookup? {
    if let known = lookups.withLock({ $0 }) { return known }
    let queries = try PredecessorLookupSQL(sql.request, sql.terms, isSectioned: sql.isSectioned) {
      try QueryPlan(of: $0.sql, database)
    }
    let found = queries.map(PredecessorLookup.init)
    lookups.withLock { $0 = .some(found) }
    return found
  }
}

/// The cached statements of ``PredecessorLookupSQL``.
private struct PredecessorLookup: Sendable {
  let levels: [TermLookup<CachedStatement>]
  let predecessors: IntegerListStatement?

  init(_ sql: PredecessorLookupSQL) {
    levels = sql.levels.map { $0.map { CachedStatement($0) } }
    predecessors = sql.predecessors.map { IntegerListStatement($0) }
  }
}

/// Consecutive rows of one section.
private struct SectionBatch {
  /// Returns the content of a section.
  let content: (StoredValue) -> FieldContent
  var rowIDs: [Int64] = []
  private var section: StoredValue?

  init(content: @escaping (StoredValue) -> FieldContent) { self.content = content }

  /// Ends the batch if the next row is in another section.
  mutating func enter(
    _ section: StoredValue, _ body: ([Int64], FieldContent?) throws -> Void
  ) rethrows {
    if self.section == section { return }
    try end(body)
    self.section = section
  }

  /// Passes the rows of the batch to a closure.
  mutating func end(_ body: ([Int64], FieldContent?) throws -> Void) rethrows {
    if !rowIDs.isEmpty { try body(rowIDs, section.map(content)) }
    rowIDs.removeAll(keepingCapacity: true)
  }
}
