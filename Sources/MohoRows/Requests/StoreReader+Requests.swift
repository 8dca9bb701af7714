import MohoMapping

extension StoreReader {
  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func fetchCount(_ request: some StoreRequest) throws -> Int {
    try session.count(request.rows)
  }

  /// Whether a request has any rows. It reads at most one.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    try session.exists(request.rows)
  }

  /// The identities of the rows of a request, in order, without their values.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func fetchIdentities(_ request: some StoreRequest) throws -> [Int64] {
    try session.identities(of: request.rows)
  }

  /// Values of the rows of a request, in order.
  ///
  /// ```swift
  /// let titles = try reader.fetchValues(request) { [$0.title, $0.podcast.title] }
  /// ```
  ///
  /// A ``StoreRequest/distinct(_:)`` request returns equal values once. Its
  /// orderings must be among the values. The other values order what the orderings
  /// leave equal.
  ///
  /// - Throws: ``StoreError`` if the request is invalid; `MappingError` if a value
  ///   is not of its attribute's type.
  public func fetchValues<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [RequestRow] {
    let operands = request.operands(selection)
    guard !operands.isEmpty else {
      throw StoreError(.invalidRequest, reason: "the request has no values")
    }
    if request.rows.isDistinct { try request.rows.checkDistinctOrder(operands) }
    return try session.values(operands, of: request.rows)
  }

  /// Values computed from all rows of a request.
  ///
  /// ```swift
  /// let total = try reader.fetchAggregates(request) { [.count, .sum($0.length)] }
  /// ```
  ///
  /// - Throws: As ``fetchValues(_:_:)``, and ``StoreError`` if a sum of integers exceeds
  ///   64 bits.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    let rows = try fetchAggregates(request, groupedBy: { _ in [] }, aggregates)
    return rows.first ?? RequestRow(names: [], values: [])
  }

  /// Values computed from groups of the rows of a request. The rows of a group have
  /// the same values of some keys. Each result begins with these values, and the
  /// results are in ascending order of them.
  ///
  /// - Throws: As ``fetchAggregates(_:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [RequestRow] {
    let scope = OpenScope()
    let aggregates = aggregates(Request.keys(of: KeyName([], scope: .open(scope))))
    let operands = request.operands(keys)
    guard !operands.isEmpty || !aggregates.isEmpty else {
      throw StoreError(.invalidRequest, reason: "the request has no values")
    }
    return try session.aggregates(
      aggregates.map { $0.closing(scope) }, of: request.rows, groupedBy: operands)
  }

  /// How the store runs a request for rows: for SQLite, its SQL, the arguments and
  /// the query plan.
  ///
  /// - Throws: ``StoreError`` if the request is invalid.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try session.explain(request.rows)
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
        reason: "the ordering by `\(ordering.value)` is not among the distinct values",
        suggestion: "fetch it too, or order by another key")
    }
  }
}

extension ModelStore {
  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: As ``StoreReader/fetchCount(_:)``.
  public func fetchCount(_ request: some StoreRequest) throws -> Int {
    try read { try $0.fetchCount(request) }
  }

  /// Whether a request has any rows.
  ///
  /// - Throws: As ``StoreReader/exists(_:)``.
  public func exists(_ request: some StoreRequest) throws -> Bool {
    try read { try $0.exists(request) }
  }

  /// The identities of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/fetchIdentities(_:)``.
  public func fetchIdentities(_ request: some StoreRequest) throws -> [Int64] {
    try read { try $0.fetchIdentities(request) }
  }

  /// Values of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/fetchValues(_:_:)``.
  public func fetchValues<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) throws -> [RequestRow] {
    try read { try $0.fetchValues(request, selection) }
  }

  /// Values computed from all rows of a request.
  ///
  /// - Throws: As ``StoreReader/fetchAggregates(_:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> RequestRow {
    try read { try $0.fetchAggregates(request, aggregates) }
  }

  /// Values computed from groups of the rows of a request.
  ///
  /// - Throws: As ``StoreReader/fetchAggregates(_:groupedBy:_:)``.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) throws -> [RequestRow] {
    try read { try $0.fetchAggregates(request, groupedBy: keys, aggregates) }
  }

  /// How the store runs a request for rows.
  ///
  /// - Throws: As ``StoreReader/explain(_:)``.
  public func explain(_ request: some StoreRequest) throws -> RequestExplanation {
    try read { try $0.explain(request) }
  }
}
