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
  /// The tables that the result reads.
  let tables: Set<String>
  let state = Lock(State())

  struct State {
    /// The session that receives a commit, and what was read in it.
    var session: Int?
    var reads = Reads()
    /// The kinds of queries whose last result was used.
    var expected: Set<RowQueryKind> = []
  }

  /// What was read for a commit.
  struct Reads {
    var found: [RowQueryKey: PostgresResult] = [:]
    var compared: [[Int64]: [Bool]] = [:]
    var scanned: Scan?
  }

  /// The rows of a result.
  struct Scan {
    var batches: [(rowIDs: [Int64], section: FieldContent?)] = []
  }

  init(
    _ request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool,
    _ schema: Schema
  ) throws {
    self.request = request
    self.isSectioned = isSectioned
    self.schema = schema
    terms = ResultTerm.terms(of: request) { ordering in
      guard case .value(_, let attribute) = ordering.operand else { return true }
      return attribute.type != .structured
    }
    sql =
      ComputedTexts.areNeeded(for: request, isSectioned: isSectioned)
      ? nil
      : try PostgresResultSQL(
        RequestSQL(request, PostgresDialect()), terms, isSectioned: isSectioned, schema)
    tables = try ResultSources(of: request, model, schema).tables
    let entity = request.entity
    let columns =
      try model.map { try schema.compiled.node(of: $0).selection().joined(separator: ", ") }
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
    let known = limit == nil ? shared(session, \.scanned) : nil
    let scan = try known ?? read(limit: limit, session)
    if limit == nil && known == nil { share(session) { $0.scanned = scan } }
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
    return scan
  }

  /// A round trip takes 0.1 ms, and each row that the server sorts about 1 µs. A row is
  /// placed among 10⁵ rows in three round trips.
  private static let comparisonsPerStatement = 64

  func place(
    _ rowIDs: Set<Int64>, _ reader: StoreReader, searching search: PredecessorSearch
  ) throws -> [PositionedRow] {
    let session = try reader.postgres
    if let rows = try rowsWithPredecessors(rowIDs, session) { return rows }
    let result = try members(rowIDs, session)
    let type: PostgresType = isSectioned ? result.type(ofColumn: 1) : .int8
    let placed = result.rows.map { $0.int64(0) }
    let predecessors = try search(placed.count, Self.comparisonsPerStatement) { comparisons in
      try precede(comparisons.flatMap { [$0.rowID, placed[$0.position]] }, session)
    }
    return try zip(result.rows, predecessors).map { row, predecessor in
      PositionedRow(
        rowID: row.int64(0), predecessor: predecessor,
        section: isSectioned ? try row.content(1, as: type) : .null)
    }
  }

  /// Returns those of the given rows that are in the result, or nil if a single query cannot
  /// find their predecessors.
  private func rowsWithPredecessors(
    _ rowIDs: Set<Int64>, _ session: PostgresSession
  ) throws -> [PositionedRow]? {
    guard let query = sql?.predecessors else { return nil }
    let result = try rows(.positions, query, rowIDs, session)
    let type: PostgresType = isSectioned ? result.type(ofColumn: 2) : .int8
    let rows = try result.rows.map { row in
      PositionedRow(
        rowID: row.int64(0), predecessor: row.optionalInt64(1),
        section: isSectioned ? try row.content(2, as: type) : .null)
    }
    // A row that is its own predecessor could not be placed.
    return rows.contains { $0.predecessor == $0.rowID } ? nil : rows
  }

  /// Returns whether the first row of each pair precedes the second one. False if one of
  /// them does not exist.
  private func precede(_ pairs: [Int64], _ session: PostgresSession) throws -> [Bool] {
    if let known = shared(session, { $0.compared[pairs] }) { return known }
    let result = try compare(pairs, session)
    share(session) { $0.compared[pairs] = result }
    return result
  }

  private func compare(_ pairs: [Int64], _ session: PostgresSession) throws -> [Bool] {
    let rowIDs = Set(pairs)
    let result = try run(sql(among: rowIDs, session).order, rowIDs, session)
    var ranks: [Int64: Int] = [:]
    for (rank, row) in result.rows.enumerated() { ranks[row.int64(0)] = rank }
    return stride(from: 0, to: pairs.count, by: 2).map { index in
      guard let one = ranks[pairs[index]], let other = ranks[pairs[index + 1]] else { return false }
      return one < other
    }
  }

  func forEachRow(
    among rowIDs: Set<Int64>, _ reader: StoreReader,
    _ body: (_ rowID: Int64, _ values: [FieldContent]) throws -> Void
  ) throws {
    if rowIDs.isEmpty { return }
    let result = try members(rowIDs, reader.postgres)
    let first = isSectioned ? 2 : 1
    let types = request.selection.indices.map { result.type(ofColumn: first + $0) }
    for row in result.rows {
      let rowID = row.int64(0)
      try body(
        rowID,
        try request.selection.enumerated().map { index, operand in
          try row.content(
            first + index, of: types[index], as: operand.type, position: index, ofRow: rowID)
        })
    }
  }

  private func members(_ rowIDs: Set<Int64>, _ session: PostgresSession) throws -> PostgresResult {
    if let sql { return try rows(.members, sql.members, rowIDs, session) }
    return try run(sql(among: rowIDs, session).members, rowIDs, session)
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
  func shared<Value>(_ session: PostgresSession, _ value: (Reads) -> Value?) -> Value? {
    guard let number = session.reportedCommit?.number else { return nil }
    return state.withLock { $0.session == number ? value($0.reads) : nil }
  }

  /// Stores what was read for the commit that observers receive.
  func share(_ session: PostgresSession, _ change: (inout Reads) -> Void) {
    guard let number = session.reportedCommit?.number else { return }
    state.withLock { state in
      if state.session != number { (state.session, state.reads) = (number, Reads()) }
      change(&state.reads)
    }
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
