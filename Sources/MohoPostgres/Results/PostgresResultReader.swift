import MohoMapping
import MohoRows
import Synchronization

/// Reads a result.
///
/// Several controllers of the same request share a reader, and the rows that it
/// has read for a commit.
final class PostgresResultReader: ResultReader {
  private let request: ResolvedRequest
  private let terms: [ResultTerm]
  private let isSectioned: Bool
  private let schema: Schema
  /// The queries, or nil if they depend on values that the client computes for each
  /// state.
  private let sql: PostgresResultSQL?
  private let modelQuery: String
  private let state = Lock(State())

  private struct State {
    /// The number of rows of the result when it was last read.
    var count = 0
    /// The session that receives a commit, and what was read in it.
    var session: Int?
    var placed: [Set<Int64>: [PositionedRow]] = [:]
    var members: [Set<Int64>: Set<Int64>] = [:]
    var scanned: Scan?
  }

  /// The rows of a result.
  private struct Scan {
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

  private func run(
    _ query: SQLQuery, _ rowIDs: Set<Int64>, _ session: PostgresSession
  ) throws -> PostgresResult {
    try session.withRequestErrors {
      var arguments = try PostgresArguments(query.arguments)
      arguments.append(rowIDs)
      return try session.connection.query(query.sql, arguments)
    }
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
    if let known = shared(session, { $0.placed[rowIDs] }) { return known }
    let query: SQLQuery
    if let predecessors = sql?.predecessors {
      query = predecessors
    } else if sortsAll(for: rowIDs.count) {
      query = try sql(among: nil, session).ranks
    } else {
      return nil
    }
    let result = try run(query, rowIDs, session)
    let type: PostgresType = isSectioned ? result.type(ofColumn: 2) : .int8
    let rows = try result.rows.map { row in
      PositionedRow(
        rowID: row.int64(0), predecessor: row.optionalInt64(1),
        section: isSectioned ? try row.content(2, as: type) : .null)
    }
    share(session) { $0.placed[rowIDs] = rows }
    return rows
  }

  /// Whether sorting all rows costs less than looking up the predecessors of some
  /// rows one by one. Each comparison is a round trip.
  private func sortsAll(for count: Int) -> Bool {
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
    return PostgresEvaluatedRows(rows) { one, other in
      let query = try self.sql(among: [one, other], session).comparison
      return try session.withRequestErrors {
        var arguments = try PostgresArguments(query.arguments)
        arguments.append(one)
        arguments.append(other)
        return try session.connection.query(query.sql, arguments).first?.bool(0) ?? false
      }
    }
  }

  func members(among rowIDs: Set<Int64>, _ reader: StoreReader) throws -> Set<Int64> {
    if rowIDs.isEmpty { return [] }
    let session = try reader.postgres
    if let known = shared(session, { $0.members[rowIDs] }) { return known }
    let result = try run(sql(among: rowIDs, session).members, rowIDs, session)
    let members = Set(result.rows.map { $0.int64(0) })
    share(session) { $0.members[rowIDs] = members }
    return members
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
  private func shared<Value>(_ session: PostgresSession, _ value: (State) -> Value?) -> Value? {
    guard let number = session.commitNumber else { return nil }
    return state.withLock { $0.session == number ? value($0) : nil }
  }

  /// Stores what was read for the commit that observers receive.
  private func share(_ session: PostgresSession, _ change: (inout State) -> Void) {
    guard let number = session.commitNumber else { return }
    state.withLock { state in
      if state.session != number { state = State(count: state.count, session: number) }
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

/// Rows of a result, in order.
struct PostgresEvaluatedRows: EvaluatedRows {
  let rowIDs: [Int64]
  private let sections: [FieldContent]
  private let isBefore: (_ one: Int64, _ other: Int64) throws -> Bool

  init(
    _ rows: [(rowID: Int64, section: FieldContent)],
    isBefore: @escaping (_ one: Int64, _ other: Int64) throws -> Bool
  ) {
    rowIDs = rows.map(\.rowID)
    sections = rows.map(\.section)
    self.isBefore = isBefore
  }

  /// False: `PostgresResultReader/positions(of:_:)` finds predecessors in an index.
  var hasIndex: Bool { false }

  func section(ofRowAt index: Int) -> FieldContent { sections[index] }

  func predecessor(ofRowAt index: Int) throws -> Int64? { nil }

  func precedes(_ rowID: Int64, rowAt index: Int) throws -> Bool {
    try isBefore(rowID, rowIDs[index])
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

/// The readers of the results that observers follow, by request. Observers of the
/// same request share a reader.
final class ResultReaderCache: Sendable {
  private struct Key: Hashable {
    let request: RowRequest
    let model: ObjectIdentifier?
    let isSectioned: Bool
  }

  private struct Entry { weak var reader: PostgresResultReader? }

  private let readers = Lock<[Key: Entry]>([:])

  init() {}

  /// Returns the reader of a request.
  func reader(
    of request: RowRequest, models model: (any MappedModel.Type)?, isSectioned: Bool,
    _ schema: Schema
  ) throws -> PostgresResultReader {
    let key = Key(
      request: request.limit(nil).offset(0), model: model.map { ObjectIdentifier($0) },
      isSectioned: isSectioned)
    if let known = readers.withLock({ $0[key]?.reader }) { return known }
    let reader = try PostgresResultReader(
      request, models: model, isSectioned: isSectioned, schema)
    return readers.withLock { readers in
      if let known = readers[key]?.reader { return known }
      readers = readers.filter { $0.value.reader != nil }
      readers[key] = Entry(reader: reader)
      return reader
    }
  }
}
