import GRDB
import GRDBSQLite
import MohoMapping

extension StoreReader {
  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: ``StoreError`` where the request cannot be carried out.
  public func count(_ request: some StoreRequest) throws -> Int {
    let sql = try RequestSQL(request, schema)
    return Int(try integers(sql.count).first ?? 0)
  }

  /// Whether a request has any rows. It reads one at most.
  ///
  /// - Throws: ``StoreError`` where the request cannot be carried out.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    let sql = try RequestSQL(request, schema)
    return try integers(sql.exists).first == 1
  }

  /// The identities of the rows of a request, in its order, without their
  /// values.
  ///
  /// - Throws: ``StoreError`` where the request cannot be carried out.
  public func identities(of request: some StoreRequest) throws -> [Int64] {
    let sql = try RequestSQL(request, schema)
    return try integers(sql.select([sql.identity]))
  }

  /// Some values of the rows of a request, in its order.
  ///
  /// ```swift
  /// let titles = try reader.values(of: request) { [$0.title, $0.podcast.title] }
  /// ```
  ///
  /// Of a request that is ``StoreRequest/distinct(_:)``, equal values are
  /// fetched once. It orders by some of the values; what that leaves equal is
  /// ordered by the others.
  ///
  /// - Throws: ``StoreError`` where the request cannot be carried out;
  ///   `MappingError` where a value is none of its attribute's.
  public func values<Request: StoreRequest>(
    of request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [RequestRow] {
    let operands = request.operands(selection)
    guard !operands.isEmpty else {
      throw StoreError(.invalidRequest, reason: "the request has no values")
    }
    let sql = try RequestSQL(request, schema, selecting: operands)
    if sql.request.isDistinct { try request.rows.checkDistinctOrder(operands) }
    return try rows(
      sql.request.isDistinct ? sql.selectDistinct() : sql.select([]),
      names: operands.map(\.description), sql.request.selection.map(\.type))
  }

  /// Values that are made of all rows of a request.
  ///
  /// ```swift
  /// let total = try reader.aggregate(request) { [.count, .sum($0.length)] }
  /// ```
  ///
  /// - Throws: As ``values(of:_:)``; where a sum of integers is beyond 64 bits
  ///   too.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    let rows = try aggregate(request, groupedBy: { _ in [] }, aggregates)
    return rows.first ?? RequestRow(names: [], values: [])
  }

  /// Values that are made of groups of the rows of a request: those that have
  /// the same values of some keys. A group has these values first; groups are
  /// in ascending order of them.
  ///
  /// - Throws: As ``aggregate(_:_:)``.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [RequestRow] {
    let scope = OpenScope()
    let aggregates = aggregates(Request.keys(of: KeyName([], scope: .open(scope))))
    let sql = try AggregateSQL(
      request.rows, schema, aggregates.map { $0.closing(scope) },
      groupedBy: request.operands(keys))
    guard !sql.names.isEmpty else {
      throw StoreError(.invalidRequest, reason: "the request has no values")
    }
    return try rows(sql.statement, names: sql.names, sql.types)
  }

  private func integers(_ statement: BoundSQL) throws -> [Int64] {
    var integers: [Int64] = []
    try forEachRow(statement) { integers.append(sqlite3_column_int64($0, 0)) }
    return integers
  }

  private func rows(
    _ statement: BoundSQL, names: [String], _ types: [ValueType]
  ) throws -> [RequestRow] {
    var rows: [RequestRow] = []
    try forEachRow(statement) { statement in
      var values: [FieldContent] = []
      for (column, type) in types.enumerated() {
        values.append(try FieldContent(statement, Int32(column)).typed(type, names[column]))
      }
      rows.append(RequestRow(names: names, values: values))
    }
    return rows
  }
}

extension StoreRequest {
  fileprivate func operands(_ selection: (Keys) -> [any RequestOperand]) -> [Operand] {
    let scope = OpenScope()
    return selection(Self.keys(of: KeyName([], scope: .open(scope))))
      .map { $0.operand.closing(scope, at: 0) }
  }
}

extension RowRequest {
  /// - Throws: ``StoreError`` where distinct values are ordered by another
  ///   value: rows that are one would have several of it.
  fileprivate func checkDistinctOrder(_ operands: [Operand]) throws {
    for ordering in orderings where !operands.contains(ordering.value) {
      throw StoreError(
        .invalidRequest,
        reason: "the order by `\(ordering.value)`, which is not among the distinct values",
        suggestion: "ask for it too, or order by another")
    }
  }
}

extension ModelStore {
  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: As ``StoreReader/count(_:)``.
  public func count(_ request: some StoreRequest) throws -> Int {
    try read { try $0.count(request) }
  }

  /// Whether a request has any rows.
  ///
  /// - Throws: As ``StoreReader/exists(_:)``.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    try read { try $0.exists(request) }
  }

  /// The identities of the rows of a request, in its order.
  ///
  /// - Throws: As ``StoreReader/identities(of:)``.
  public func identities(of request: some StoreRequest) throws -> [Int64] {
    try read { try $0.identities(of: request) }
  }

  /// Some values of the rows of a request, in its order.
  ///
  /// - Throws: As ``StoreReader/values(of:_:)``.
  public func values<Request: StoreRequest>(
    of request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [RequestRow] {
    try read { try $0.values(of: request, selection) }
  }

  /// Values that are made of all rows of a request.
  ///
  /// - Throws: As ``StoreReader/aggregate(_:_:)``.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    try read { try $0.aggregate(request, aggregates) }
  }

  /// Values that are made of groups of the rows of a request.
  ///
  /// - Throws: As ``StoreReader/aggregate(_:groupedBy:_:)``.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [RequestRow] {
    try read { try $0.aggregate(request, groupedBy: keys, aggregates) }
  }
}
