package import MohoMapping

extension StoreSession {
  /// Returns the SQL of a request.
  ///
  /// - Parameter selection: The values to select after the columns.
  /// - Throws: A ``StoreError`` that lists all issues of the request.
  package func requestSQL(
    _ request: RowRequest, selecting selection: [Operand] = []
  ) throws -> RequestSQL {
    let resolved = try ResolvedRequest(request, schema, selecting: selection)
    return RequestSQL(resolved, try dialect(for: resolved))
  }

  /// Passes all rows of a request to a closure, in no particular order, with the values
  /// that the request selects.
  ///
  /// - Throws: An ``UnreadableValue`` if a value does not have its type. The errors of
  ///   the closure.
  package func forEachRow(
    of request: ResolvedRequest,
    _ body: (_ rowID: Int64, _ values: ArraySlice<FieldContent>) throws -> Void
  ) throws {
    let sql = RequestSQL(request, try dialect(for: request))
    try forEachRow(
      of: sql.select([sql.identity], isOrdered: false),
      as: [.integer] + request.selection.map(\.type)
    ) { values in
      try body(values[0].signedInteger ?? 0, values.dropFirst())
    }
  }

  /// Returns the number of rows of a request.
  func count(_ request: RowRequest) throws -> Int {
    Int(try integers(of: requestSQL(request).count).first ?? 0)
  }

  /// Returns whether a request has any rows.
  func exists(_ request: RowRequest) throws -> Bool {
    var exists = false
    try forEachRow(of: requestSQL(request).exists, as: [.boolean]) { exists = $0[0] == .bool(true) }
    return exists
  }

  /// Returns the identities of the rows of a request, in order.
  package func identities(of request: RowRequest) throws -> [Int64] {
    let sql = try requestSQL(request)
    return try integers(of: sql.select([sql.identity]))
  }

  /// Returns values of the rows of a request, in order. See
  /// ``StoreReader/fetchValues(_:_:)``.
  func values(_ values: [Operand], of request: RowRequest) throws -> [ValueRow] {
    let sql = try requestSQL(request, selecting: values)
    return try rows(
      of: sql.request.isDistinct ? sql.selectDistinct() : sql.select([]),
      names: values.map(\.description), sql.request.selection.map(\.type))
  }

  /// Returns values that are computed from groups of rows. See
  /// ``StoreReader/fetchAggregates(_:groupedBy:_:)``.
  func aggregates(
    _ aggregates: [Aggregate], of request: RowRequest, groupedBy keys: [Operand]
  ) throws -> [ValueRow] {
    let sql = try AggregateSQL(request, self, aggregates, groupedBy: keys)
    return try rows(of: sql.query, names: sql.names, sql.types) { try sql.values(of: $0) }
  }

  private func integers(of query: SQLQuery) throws -> [Int64] {
    var integers: [Int64] = []
    try forEachRow(of: query, as: [.integer]) { integers.append($0[0].signedInteger ?? 0) }
    return integers
  }

  /// - Throws: A `MappingError` if a value does not have its type.
  private func rows(
    of query: SQLQuery, names: [String], _ types: [ValueType],
    _ values: ([FieldContent]) throws -> [FieldContent] = { $0 }
  ) throws -> [ValueRow] {
    var rows: [ValueRow] = []
    do {
      try forEachRow(of: query, as: types) { row in
        rows.append(ValueRow(names: names, values: try values(row)))
        // The row takes the memory of the array.
        row = []
      }
    } catch let value as UnreadableValue {
      throw value.error.inside(FieldPath([.key(names[value.column])]), dropping: 0)
    }
    return rows
  }
}

extension FieldContent {
  /// The integer, or nil if the content is not a signed integer.
  var signedInteger: Int64? { if case .int64(let value) = self { value } else { nil } }
}
