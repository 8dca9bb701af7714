import GRDB
import GRDBSQLite
import MohoMapping

extension StoreReader {
  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func count(_ request: some StoreRequest) throws -> Int {
    let sql = try RequestSQL(request, schema)
    return Int(try integers(sql.count).first ?? 0)
  }

  /// Whether a request has any rows. It reads at most one.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    let sql = try RequestSQL(request, schema)
    return try integers(sql.exists).first == 1
  }

  /// The identities of the rows of a request, in order, without their values.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func identities(of request: some StoreRequest) throws -> [Int64] {
    let sql = try RequestSQL(request, schema)
    return try integers(sql.select([sql.identity]))
  }

  /// Values of the rows of a request, in order.
  ///
  /// ```swift
  /// let titles = try reader.values(of: request) { [$0.title, $0.podcast.title] }
  /// ```
  ///
  /// A ``StoreRequest/distinct(_:)`` request returns equal values once. Its
  /// orderings must be among the values. The other values order what the orderings
  /// leave equal.
  ///
  /// - Throws: ``StoreError`` if the request is invalid; `MappingError` if a value
  ///   is not of its attribute's type.
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

  /// Values computed from all rows of a request.
  ///
  /// ```swift
  /// let total = try reader.aggregate(request) { [.count, .sum($0.length)] }
  /// ```
  ///
  /// - Throws: As ``values(of:_:)``, and ``StoreError`` if a sum of integers exceeds
  ///   64 bits.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    let rows = try aggregate(request, groupedBy: { _ in [] }, aggregates)
    return rows.first ?? RequestRow(names: [], values: [])
  }

  /// Values computed from groups of the rows of a request. The rows of a group have
  /// the same values of some keys. Each result begins with these values, and the
  /// results are in ascending order of them.
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
    return try rows(sql.query, names: sql.names, sql.types)
  }

  private func integers(_ query: SQLQuery) throws -> [Int64] {
    var integers: [Int64] = []
    try forEachRow(query) { integers.append(sqlite3_column_int64($0, 0)) }
    return integers
  }

  private func rows(
    _ query: SQLQuery, names: [String], _ types: [ValueType]
  ) throws -> [RequestRow] {
    var rows: [RequestRow] = []
    try forEachRow(query) { statement in
      var values: [FieldContent] = []
      for (column, type) in types.enumerated() {
        let value = SQLiteValueCopy(statement, Int32(column))
        guard let content = value.content(as: type) else {
          throw MappingError(
            .invalidType, path: FieldPath([.key(names[column])]), found: "\(value)",
            expected: type.rawValue)
        }
        values.append(content)
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
  /// - Throws: ``StoreError`` if distinct values are ordered by another value, of
  ///   which equal rows may have several.
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

  /// The identities of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/identities(of:)``.
  public func identities(of request: some StoreRequest) throws -> [Int64] {
    try read { try $0.identities(of: request) }
  }

  /// Values of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/values(of:_:)``.
  public func values<Request: StoreRequest>(
    of request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [RequestRow] {
    try read { try $0.values(of: request, selection) }
  }

  /// Values computed from all rows of a request.
  ///
  /// - Throws: As ``StoreReader/aggregate(_:_:)``.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    try read { try $0.aggregate(request, aggregates) }
  }

  /// Values computed from groups of the rows of a request.
  ///
  /// - Throws: As ``StoreReader/aggregate(_:groupedBy:_:)``.
  public func aggregate<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [RequestRow] {
    try read { try $0.aggregate(request, groupedBy: keys, aggregates) }
  }
}
