import Foundation
import MohoMapping
import MohoRows

extension PostgresSession {
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model> {
    let sql = try requestSQL(request.rows)
    let query = try sql.select(schema.compiled.node(of: Model.self).selection(in: sql.alias))
    return try PostgresModelCursor(self, query)
  }

  func forEachRow(
    of query: SQLQuery, as types: [ValueType], _ body: (inout [FieldContent]) throws -> Void
  ) throws {
    try forEachRow(of: self.query(query), as: types, body)
  }

  /// Calls a closure with the values of each row of a result.
  func forEachRow(
    of result: PostgresResult, as types: [ValueType],
    _ body: (inout [FieldContent]) throws -> Void
  ) throws {
    let columns = types.indices.map { result.type(ofColumn: $0) }
    var values: [FieldContent] = []
    for row in result.rows {
      values.removeAll(keepingCapacity: true)
      values.reserveCapacity(types.count)
      for (column, type) in types.enumerated() {
        values.append(
          try row.content(
            column, of: columns[column], as: type, position: column,
            ofRow: row.int64(types.count - 1)))
      }
      try body(&values)
    }
  }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    let sql = try requestSQL(request)
    return try sql.explanation { query in
      let plan = try QueryPlan(of: query, self)
      let computed = (sql.dialect as? PostgresDialect)?.computed.explanation ?? []
      return (computed + plan.lines, plan.indexes, plan.lacksIndex(on: sql.alias))
    }
  }

  func delete(_ request: RowRequest) throws -> Int {
    let entity = try schema.compiled.requireEntity(request.entity)
    guard schema.compiled.needsDeleter(entity) else {
      let deletion = try requestSQL(request).delete
      return try connection.withSavepoint { try query(deletion).affectedRows }
    }
    let ids = try identities(of: request)
    try delete(ids, of: entity)
    return ids.count
  }

  /// The dialect has the values that the request needs and that only the client
  /// computes.
  func dialect(for request: ResolvedRequest) throws -> any SQLDialect {
    PostgresDialect(computed: try ComputedTexts(for: request, self))
  }

  func query(_ query: SQLQuery) throws -> PostgresResult {
    try connection.query(query.sql, PostgresArguments(query.arguments))
  }
}

extension PostgresArguments {
  /// Creates the arguments of a query of ``PostgresDialect``.
  init(_ contents: [FieldContent]) throws {
    self.init()
    for content in contents {
      if case .array(let elements) = content {
        try append(elements)
      } else {
        try append(content, as: PostgresType(content))
      }
    }
  }

  private mutating func append(_ elements: [FieldContent]) throws {
    var array = PostgresArray(
      elements.first.map { PostgresType($0) } ?? .int8, capacity: elements.count * 12)
    for element in elements { try array.append(element) }
    append(array)
  }
}

extension PostgresType {
  /// The type of the parameter for a content.
  fileprivate init(_ content: FieldContent) {
    self =
      switch content {
      case .bool: .bool
      case .null, .int64: .int8
      case .uint64: .uint64
      case .double: .float8
      case .decimal: .numeric
      case .string: .text
      case .data: .bytea
      case .date: .timestamptz
      case .object, .array, .dictionary: .jsonb
      }
  }
}

extension PostgresRow {
  /// Returns the value of a column of a query.
  ///
  /// - Parameters:
  ///   - columnType: The type of the column.
  ///   - position: The position of the value among the values of the query.
  /// - Throws: An ``UnreadableValue`` if the value does not have the type.
  func content(
    _ column: Int, of columnType: PostgresType, as type: ValueType, position: Int,
    ofRow identity: @autoclosure () -> Int64
  ) throws -> FieldContent {
    do {
      return try content(column, of: columnType, as: type)
    } catch let error as MappingError {
      throw UnreadableValue(column: position, identity: identity(), error: error)
    }
  }

  /// The value of a column in the form of a type of values.
  ///
  /// - Parameter columnType: The type of the column.
  private func content(
    _ column: Int, of columnType: PostgresType, as type: ValueType
  ) throws -> FieldContent {
    switch type {
    // Calculated dates are seconds.
    case .date where columnType == .float8 && !isNull(column):
      .date(Date(timeIntervalSinceReferenceDate: double(column)))
    // The results of aggregates have the type `numeric`.
    case .unsigned where columnType == .numeric: try content(column, as: .uint64)
    default: try content(column, as: columnType)
    }
  }
}
