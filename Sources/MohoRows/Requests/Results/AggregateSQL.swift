import MohoMapping

/// The SQL of a request for values of groups of rows.
struct AggregateSQL {
  let query: SQLQuery
  /// The names of the requested values.
  let names: [String]
  /// The types of all columns: the requested values, and the numbers of the
  /// values whose averages are calculated from sums.
  let types: [ValueType]
  /// The positions of the sums that are divided by these numbers.
  private let dividedSums: [Int]

  /// - Throws: A ``StoreError`` that lists all issues of the request.
  init(
    _ request: RowRequest, _ session: some StoreSession, _ aggregates: [Aggregate],
    groupedBy keys: [Operand]
  ) throws {
    // Row counts have no operand.
    let operands = aggregates.map { $0.value ?? .constant(.int64(1)) }
    let rows = try session.requestSQL(request, selecting: keys + operands)
    let dialect = rows.dialect
    var types = rows.request.selection.map(\.type)
    let issues = zip(aggregates, types.dropFirst(keys.count)).compactMap { $0.issue(of: $1) }
    guard issues.isEmpty else {
      throw StoreError(.invalidRequest, reason: issues.joined(separator: "; "))
    }
    let groups = keys.indices.map { dialect.group("g\($0)", types[$0]) }
    let order = keys.indices.map { dialect.groupOrder("g\($0)", types[$0]) }
    var terms = keys.indices.map { "g\($0)" }
    var counts: [String] = []
    var dividedSums: [Int] = []
    for (index, aggregate) in aggregates.enumerated() {
      let position = keys.count + index
      terms.append(dialect.aggregate(aggregate.function, "g\(position)", types[position]))
      if aggregate.function == .average && types[position] == .decimal
        && !dialect.averagesDecimals
      {
        dividedSums.append(position)
        counts.append(dialect.aggregate(.count, "g\(position)", .decimal))
      }
      types[position] = aggregate.type(of: types[position])
    }
    terms += counts
    names = keys.map(\.description) + aggregates.map(\.name)
    self.types = types + counts.map { _ in .integer }
    self.dividedSums = dividedSums
    query = try rows.aggregate { query in
      let grouping = groups.joined(separator: ", ")
      return "SELECT \(terms.joined(separator: ", ")) FROM (\(query))\(dialect.subqueryName)"
        + (groups.isEmpty
          ? "" : " GROUP BY \(grouping) ORDER BY \(order.joined(separator: ", "))")
    }
  }

  /// Returns the requested values of a row of the query.
  func values(of row: [FieldContent]) -> [FieldContent] {
    if dividedSums.isEmpty { return row }
    var values = Array(row.prefix(names.count))
    for (position, count) in zip(dividedSums, row[names.count...]) {
      values[position] = Arithmetic.divide.result(values[position], count)
    }
    return values
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
