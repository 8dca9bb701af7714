import Foundation
import MohoMapping
import MohoRows

extension PostgresSession {
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model> {
    let sql = try requestSQL(request.rows)
    let query = try sql.select(schema.compiled.binding(of: Model.self).selection(in: sql.alias))
    return try PostgresModelCursor(self, query)
  }

  func count(_ request: RowRequest) throws -> Int {
    try query(requestSQL(request).count).first?.int(0) ?? 0
  }

  func exists(_ request: RowRequest) throws -> Bool {
    try query(requestSQL(request).exists).first?.bool(0) ?? false
  }

  func identities(of request: RowRequest) throws -> [Int64] {
    let sql = try requestSQL(request)
    return try query(sql.select([sql.identity])).rows.map { $0.int64(0) }
  }

  func values(_ values: [Operand], of request: RowRequest) throws -> [RequestRow] {
    let sql = try requestSQL(request, selecting: values)
    return try rows(
      query(sql.request.isDistinct ? sql.selectDistinct() : sql.select([])),
      names: values.map(\.description), sql.request.selection.map(\.type))
  }

  func aggregates(
    _ aggregates: [Aggregate], of request: RowRequest, groupedBy keys: [Operand]
  ) throws -> [RequestRow] {
    // An average of decimals is the quotient of their sum and their count.
    let averages = aggregates.indices.filter { aggregates[$0].function == .average }
    let counts = averages.map { aggregates[$0].counted }
    let operands = keys + aggregates.compactMap(\.value)
    let dialect = try dialect(for: request, selecting: operands)
    let sql = try AggregateSQL(
      request, schema, dialect, aggregates + counts, groupedBy: keys)
    let count = keys.count + aggregates.count
    return try rows(query(sql.query), names: sql.names, sql.types).map { row in
      var values = row.values
      for (index, average) in averages.enumerated() {
        let position = keys.count + average
        if sql.types[position] == .decimal {
          values[position] = Arithmetic.divide.result(values[position], values[count + index])
        }
      }
      return RequestRow(
        names: Array(row.names.prefix(count)), values: Array(values.prefix(count)))
    }
  }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    let sql = try requestSQL(request)
    let columns = sql.entity.attributes.map(\.name).filter { $0 != sql.entity.identityColumn }
    let query = try sql.select([sql.identity] + columns.map { sql.column($0) })
    let plan = try QueryPlan(of: query, self)
    return RequestExplanation(
      sql: query.sql, arguments: query.arguments.map(\.description), plan: plan.lines,
      indexes: plan.indexes,
      suggestedIndex: plan.lacksIndex(on: sql.alias) ? sql.request.suggestedIndex : [],
      entity: sql.entity.name)
  }

  func delete(_ request: RowRequest) throws -> Int {
    let sql = try requestSQL(request)
    let entity = try schema.compiled.requireEntity(request.entity)
    guard schema.compiled.needsDeleter(entity) else { return try query(sql.delete).affectedRows }
    let ids = Array(try query(sql.select([sql.identity])).rows.map { $0.int64(0) })
    try delete(ids, of: entity)
    return ids.count
  }

  private func rows(
    _ result: PostgresResult, names: [String], _ types: [ValueType]
  ) throws -> [RequestRow] {
    let columns = types.indices.map { result.type(ofColumn: $0) }
    return try result.rows.map { row in
      var values: [FieldContent] = []
      for (column, type) in types.enumerated() {
        do {
          values.append(try row.content(column, of: columns[column], as: type))
        } catch let error as MappingError {
          throw error.inside(FieldPath([.key(names[column])]), dropping: 0)
        }
      }
      return RequestRow(names: names, values: values)
    }
  }
}

extension PostgresSession {
  /// Returns the SQL of a request, after computing the values that only the
  /// client computes.
  func requestSQL(
    _ request: RowRequest, selecting selection: [Operand] = []
  ) throws -> RequestSQL {
    let resolved = try ResolvedRequest(request, schema, selecting: selection)
    return RequestSQL(resolved, PostgresDialect(computed: try ComputedTexts(for: resolved, self)))
  }

  /// Returns a dialect with the values that a request needs and that only the
  /// client computes. They are those of the current state of the transaction.
  ///
  /// - Parameters:
  ///   - isSectioned: Whether the sections of the rows are read, too.
  ///   - rowIDs: The rows of the request that are read, or nil for all rows.
  func dialect(
    for request: RowRequest, selecting selection: [Operand] = [], isSectioned: Bool = false,
    among rowIDs: [Int64]? = nil
  ) throws -> PostgresDialect {
    let resolved = try ResolvedRequest(request, schema, selecting: selection)
    return PostgresDialect(
      computed: try ComputedTexts(
        for: resolved, isSectioned: isSectioned, among: rowIDs, self))
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
  /// The value of a column in the form of a type of values.
  ///
  /// - Parameter columnType: The type of the column.
  fileprivate func content(
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
