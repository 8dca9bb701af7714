/// A request for values of rows.
package struct RequestValues: Sendable, Hashable {
  package let request: RowRequest
  package let operands: [Operand]
}

/// A request for values that are computed from groups of rows.
package struct RequestAggregates: Sendable, Hashable {
  package let request: RowRequest
  package let aggregates: [Aggregate]
  package let keys: [Operand]
  /// The conditions on the groups, and their order, limit and offset. The names of the keys
  /// and aggregates are keys of this request.
  var groups = RowRequest("group")

  /// The values that are read from the rows.
  package var operands: [Operand] { keys + aggregates.compactMap(\.value) }

  /// The names of the keys and of the aggregates.
  package var names: [String] { keys.map(\.description) + aggregates.map(\.name) }
}

extension StoreRequest {
  package func values(_ selection: (Keys) -> [any RequestOperand]) -> RequestValues {
    RequestValues(request: rows, operands: operands(selection))
  }

  package func aggregates(
    groupedBy keys: (Keys) -> [any RequestOperand], _ aggregates: (Keys) -> [Aggregate]
  ) -> RequestAggregates {
    let scope = OpenScope()
    let aggregates = aggregates(Self.keys(of: KeyName([], scope: .open(scope))))
    return RequestAggregates(
      request: rows, aggregates: aggregates.map { $0.closing(scope) }, keys: operands(keys))
  }

  func operands(_ selection: (Keys) -> [any RequestOperand]) -> [Operand] {
    let scope = OpenScope()
    return selection(Self.keys(of: KeyName([], scope: .open(scope))))
      .map { $0.operand.closing(scope, at: 0) }
  }
}

extension StoreReader {
  /// - Throws: As ``fetchValues(_:_:)``.
  package func fetch(_ values: RequestValues) throws -> [ValueRow] {
    guard !values.operands.isEmpty else { throw Self.noValues }
    if values.request.isDistinct { try values.request.checkDistinctOrder(values.operands) }
    return try session.values(values.operands, of: values.request)
  }

  /// Returns the types of the values of a request for aggregates, without running a
  /// statement.
  ///
  /// - Throws: As ``fetchAggregates(_:groupedBy:_:)``.
  func types(of aggregates: RequestAggregates) throws -> [ValueType] {
    guard !aggregates.keys.isEmpty || !aggregates.aggregates.isEmpty else { throw Self.noValues }
    let sql = try AggregateSQL(
      aggregates.request, session, aggregates.aggregates, groupedBy: aggregates.keys)
    return Array(sql.types.prefix(sql.names.count))
  }

  /// Returns all groups, in the order of their keys. Ignores the conditions on groups and
  /// their orderings.
  ///
  /// - Throws: As ``fetchAggregates(_:groupedBy:_:)``.
  package func fetch(_ aggregates: RequestAggregates) throws -> [ValueRow] {
    guard !aggregates.keys.isEmpty || !aggregates.aggregates.isEmpty else { throw Self.noValues }
    return try session.aggregates(
      aggregates.aggregates, of: aggregates.request, groupedBy: aggregates.keys)
  }

  /// - Throws: As ``fetchAggregates(_:_:)``.
  package func fetchFirst(_ aggregates: RequestAggregates) throws -> ValueRow {
    try fetch(aggregates).first ?? ValueRow(names: [], values: [])
  }

  private static var noValues: StoreError {
    StoreError(.invalidRequest, reason: "the request has no values")
  }
}

extension RowRequest {
  /// - Throws: A ``StoreError`` if distinct values are sorted by a value that
  ///   is not selected. Rows with equal selected values can differ in that
  ///   value.
  fileprivate func checkDistinctOrder(_ operands: [Operand]) throws {
    for ordering in orderings where !operands.contains(ordering.value) {
      throw StoreError(
        .invalidRequest,
        reason: "the ordering by `\(ordering.value)` is not among the distinct values",
        suggestion: "fetch it too, or order by another key")
    }
  }
}
