import MohoMapping

/// The SQL of a request for values of groups of rows.
package struct AggregateSQL {
  package let query: SQLQuery
  package let names: [String]
  package let types: [ValueType]

  /// - Throws: A ``StoreError`` that lists all issues of the request.
  package init(
    _ request: RowRequest, _ schema: Schema, _ dialect: any SQLDialect,
    _ aggregates: [Aggregate], groupedBy keys: [Operand]
  ) throws {
    // Row counts have no operand.
    let operands = aggregates.map { $0.value ?? .constant(.int64(1)) }
    let rows = try RequestSQL(request, schema, dialect, selecting: keys + operands)
    var types = rows.request.selection.map(\.type)
    let issues = zip(aggregates, types.dropFirst(keys.count)).compactMap { $0.issue(of: $1) }
    guard issues.isEmpty else {
      throw StoreError(.invalidRequest, reason: issues.joined(separator: "; "))
    }
    let groups = keys.indices.map { dialect.group("g\($0)", types[$0]) }
    let order = keys.indices.map { dialect.groupOrder("g\($0)", types[$0]) }
    var terms = keys.indices.map { "g\($0)" }
    for (index, aggregate) in aggregates.enumerated() {
      let position = keys.count + index
      terms.append(dialect.aggregate(aggregate.function, "g\(position)", types[position]))
      types[position] = aggregate.type(of: types[position])
    }
    names = keys.map(\.description) + aggregates.map(\.name)
    self.types = types
    query = try rows.aggregate { query in
      let grouping = groups.joined(separator: ", ")
      return "SELECT \(terms.joined(separator: ", ")) FROM (\(query))\(dialect.subqueryName)"
        + (groups.isEmpty
          ? "" : " GROUP BY \(grouping) ORDER BY \(order.joined(separator: ", "))")
    }
  }
}

extension Aggregate {
  fileprivate func issue(of type: ValueType) -> String? {
    switch function {
    case .sum, .average: type.isNumber || type == .null ? nil : "\(name): \(type.rawValue) has none"
    case .count, .minimum, .maximum: nil
    }
  }

  fileprivate func type(of type: ValueType) -> ValueType {
    switch function {
    case .count: .integer
    case .average: type.isInteger ? .double : type
    case .sum, .minimum, .maximum: type
    }
  }
}
