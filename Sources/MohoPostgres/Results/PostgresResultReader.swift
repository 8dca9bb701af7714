import MohoMapping
import MohoRows
import Synchronization

/// Reads a result.
///
/// Several controllers of the same request share a reader, and the rows that it
/// has read for a commit.
final class PostgresResultReader: ResultReader {
  let request: ResolvedRequest
  private let terms: [ResultTerm]
  private let isSectioned: Bool
  private let schema: Schema
  /// The queries, or nil if they depend on values that the client computes for each
  /// state.
  let sql: PostgresResultSQL?
  private let modelQuery: String
  let state = Lock(State())

  struct State {
    /// The number of rows of the result when it was last read.
    var count = 0
    /// The session that receives a commit, and what was read in it.
    var session: Int?
    var found: [RowQueryKey: PostgresResult] = [:]
    var scanned: Scan?
    /// The kinds of queries whose last result was used.
    var expected: Set<RowQueryKind> = []
  }

  /// The rows of a result.
  struct Scan {
    var batches: [(rowIDs: [Int64], section: FieldContent?)] = []
  }

  /// - Throws: A `StoreError` that lists all issues of the request.
  init(
    _ request: RowRequest, models model: (any MappedModel.Type)?, isSectioned: Bool,
    _ schema: Schema
  ) throws {
    let resolved = try ResolvedRequest(request.limit(nil).offset(0), schema)
    self.request = resolved
    self.isSectioned = isSectioned
    self.schema = schema
    terms = ResultTerm.terms(of: resolved) { ordering in
      guard case .value(_, let attribute) = ordering.operand else { return true }
      return attribute.type != .structured
    }
    sql =
      ComputedTexts.areNeeded(for: resolved, isSectioned: isSectioned)
      ? nil
      : try PostgresResultSQL(
        RequestSQL(resolved, PostgresDialect()), terms, isSectioned: isSectioned, schema)
    let entity = resolved.entity
    let columns =
      try model.map { try schema.compiled.binding(of: $0).selection().joined(separator: ", ") }
      ?? quotedName(entity.identityColumn)
    modelQuery =
      "SELECT \(columns) FROM \(quotedName(entity.name))"
      + " WHERE \(quotedName(entity.identityColumn)) = ANY($1::int8[])"
  }

  /// Returns the queries for the current state.
  ///
  /// - Parameter rowIDs: The rows that are read, or nil for all rows.
  private func sql(
    among rowIDs: Set<Int64>?, _ session: PostgresSession
  ) throws -> PostgresResultSQL {
    if let sql { return sql }
    let computed = try ComputedTexts(
      for: request, isSectioned: isSectioned, among: rowIDs.map { Array($0) }, session)
    return try PostgresResultSQL(
      RequestSQL(request, PostgresDialect(computed: computed)), terms, isSectioned: isSectioned,
      schema)
  }

  func run(
    _ query: SQLQuery, _ rowIDs: Set<Int64>, _ session: PostgresSession
  ) throws -> PostgresResult {
    try session.connection.query(PostgresQuery(query, among: rowIDs))
  }

  func scan(
    _ reader: StoreReader, limit: Int?,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws {
    let session = try reader.postgres
    let scan = try shared(session, \.scanned, isUsed: limit == nil) {
      try read(limit: limit, session)
    }
    for batch in scan.batches { try body(batch.rowIDs, batch.section) }
  }

  private func read(limit: Int?, _ session: PostgresSession) throws -> Scan {
    let query = try sql(among: nil, session).scan
    let result = try session.query(
      SQLQuery(query.sql + (limit.map { " LIMIT \($0)" } ?? ""), query.arguments))
    var scan = Scan()
    if isSectioned {
      let type = result.type(ofColumn: 1)
      var last: PostgresRow?
      for row in result.rows {
        if let last, last.isSame(as: row, 1) {
          scan.batches[scan.batches.count - 1].rowIDs.append(row.int64(0))
        } else {
          scan.batches.append(([row.int64(0)], try row.content(1, as: type)))
        }
        last = row
      }
    } else if result.rowCount > 0 {
      scan.batches = [(result.rows.map { $0.int64(0) }, nil)]
    }
    if limit == nil { state.withLock { $0.count = result.rowCount } }
    return scan
  }

  func positions(of rowIDs: Set<Int64>, _ reader: StoreReader) throws -> [PositionedRow]? {
    if rowIDs.isEmpty { return [] }
    let session = try reader.postgres
    if let query = query(.positions, for: rowIDs) {
      let result = try self.rows(.positions, query, rowIDs, session)
      return try positions(result)
    }
    guard sortsAll(for: rowIDs.count) else { return nil }
    return try positions(run(sql(among: nil, session).ranks, rowIDs, session))
  }

  private func positions(_ result: PostgresResult) throws -> [PositionedRow] {
    let type: PostgresType = isSectioned ? result.type(ofColumn: 2) : .int8
    return try result.rows.map { row in
      PositionedRow(
        rowID: row.int64(0), predecessor: row.optionalInt64(1),
        section: isSectioned ? try row.content(2, as: type) : .null)
    }
  }

  /// Whether sorting all rows costs less than looking up the predecessors of some
  /// rows one by one. Each comparison is a round trip.
  func sortsAll(for count: Int) -> Bool {
    let total = state.withLock { $0.count }
    return total <= count.multipliedReportingOverflow(by: Self.rowsPerLookup).partialValue
  }

  /// The number of rows that can be sorted in the time of one lookup.
  private static let rowsPerLookup = 2_000

  func evaluate(_ rowIDs: Set<Int64>, _ reader: StoreReader) throws -> any EvaluatedRows {
    let session = try reader.postgres
    var rows: [(rowID: Int64, section: FieldContent)] = []
    if !rowIDs.isEmpty {
      let result = try run(sql(among: rowIDs, session).evaluation, rowIDs, session)
      let type: PostgresType = isSectioned ? result.type(ofColumn: 1) : .int8
      rows = try result.rows.map { row in
        (row.int64(0), isSectioned ? try row.content(1, as: type) : .null)
      }
    }
    return PostgresEvaluatedRows(rows) { pairs in
      let rowIDs = Set(pairs.map(\.one)).union(pairs.map(\.other))
      let query = try self.sql(among: rowIDs, session).comparison
      var arguments = try PostgresArguments(query.arguments)
      arguments.append(rowIDs)
      arguments.append(pairs.map(\.one))
      arguments.append(pairs.map(\.other))
      return try session.connection.query(query.sql, arguments).rows.map { $0.bool(0) }
    }
  }

  func members(among rowIDs: Set<Int64>, _ reader: StoreReader) throws -> Set<Int64> {
    if rowIDs.isEmpty { return [] }
    let session = try reader.postgres
    let result =
      try query(.members, for: rowIDs).map { try rows(.members, $0, rowIDs, session) }
      ?? run(sql(among: rowIDs, session).members, rowIDs, session)
    return Set(result.rows.map { $0.int64(0) })
  }

  func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], _ reader: StoreReader
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    if rowIDs.isEmpty { return ([], []) }
    var arguments = PostgresArguments()
    arguments.append(rowIDs)
    return try reader.postgres.models(of: model, modelQuery, arguments)
  }
}

extension PostgresResultReader {
  /// Returns what was read earlier for the commit that observers receive.
  func shared<Value>(_ session: PostgresSession, _ value: (State) -> Value?) -> Value? {
    guard let number = session.commitNumber else { return nil }
    return state.withLock { $0.session == number ? value($0) : nil }
  }

  /// Stores what was read for the commit that observers receive.
  func share(_ session: PostgresSession, _ change: (inout State) -> Void) {
    guard let number = session.commitNumber else { return }
    state.withLock { state in
      if state.session != number {
        (state.session, state.found, state.scanned) = (number, [:], nil)
      }
      change(&state)
    }
  }

  private func shared<Value>(
    _ session: PostgresSession, _ path: WritableKeyPath<State, Value?>, isUsed: Bool,
    _ read: () throws -> Value
  ) throws -> Value {
    if isUsed, let known = shared(session, { $0[keyPath: path] }) { return known }
    let value = try read()
    if isUsed { share(session) { $0[keyPath: path] = value } }
    return value
  }
}

extension PostgresRow {
  /// Whether another row has the same bytes in a column.
  func isSame(as other: PostgresRow, _ column: Int) -> Bool {
    guard isNull(column) == other.isNull(column) else { return false }
    return withBytes(column) { one in
      other.withBytes(column) { other in
        one.count == other.count && one.elementsEqual(other)
      }
    }
  }
}
