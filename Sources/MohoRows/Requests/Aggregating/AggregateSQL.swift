import MohoMapping

/// The SQL of a request for values of groups of rows.
struct AggregateSQL {
  let query: SQLQuery
  /// The names of the requested values.
  let names: [String]
  /// The types of all columns: the requested values, and the numbers of the
  /// values of each sum.
  let types: [ValueType]
  private let sums: [Sum]

  /// A sum of integers or decimals, which the database returns as null if it is
  /// out of range.
  private struct Sum {
    let position: Int
    /// The type of the values.
    let type: ValueType
    /// Whether the requested value is the average.
    let isDivided: Bool
  }

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
    var sums: [Sum] = []
    for (index, aggregate) in aggregates.enumerated() {
      let position = keys.count + index
      terms.append(dialect.aggregate(aggregate.function, "g\(position)", types[position]))
      let type = types[position]
      let isDivided = aggregate.function == .average
      if isDivided ? type == .decimal : aggregate.function == .sum && type.isExactNumber {
        sums.append(Sum(position: position, type: type, isDivided: isDivided))
        counts.append(dialect.aggregate(.count, "g\(position)", type))
      }
      types[position] = aggregate.type(of: type)
    }
    terms += counts
    names = keys.map(\.description) + aggregates.map(\.name)
    self.types = types + counts.map { _ in .integer }
    self.sums = sums
    query = try rows.aggregate { query in
      let grouping = groups.joined(separator: ", ")
      return "SELECT \(terms.joined(separator: ", ")) FROM (\(query))\(dialect.subqueryName)"
        + (groups.isEmpty
          ? "" : " GROUP BY \(grouping) ORDER BY \(order.joined(separator: ", "))")
    }
  }

  /// Returns the requested values of a row of the query.
  ///
  /// - Throws: A ``StoreError`` if a sum is out of range.
  func values(of row: [FieldContent]) throws -> [FieldContent] {
    if sums.isEmpty { return row }
    var values = Array(row.prefix(names.count))
    for (sum, count) in zip(sums, row[names.count...]) {
      if values[sum.position].isNull, count != .int64(0) {
        throw StoreError.sumOutOfRange(names[sum.position], sum.type)
      }
      if sum.isDivided {
        values[sum.position] = Arithmetic.divide.result(values[sum.position], count)
      }
    }
    return values
  }
}

extension StoreError {
  fileprivate static func sumOutOfRange(_ name: String, _ type: ValueType) -> StoreError {
    let range =
      switch type {
      case .decimal: "the range of `Decimal`"
      case .unsigned: "the range from 0 to \(UInt64.max)"
      default: "the range from \(Int64.min) to \(Int64.max)"
      }
    return StoreError(
      .limitExceeded, reason: "\(name): the sum is outside of \(range)",
      suggestion: "calculate the sums of smaller groups")
  }
}

extension ValueType {
  /// Whether sums of the type are exact.
  fileprivate var isExactNumber: Bool { isInteger || self == .decimal }
}

extension Aggregate {
  fileprivate func issue(of type: ValueType) -> String? {
    switch function {
    case .sum, .average: type.isNumber || type == .null ? nil : "\(name): \(type.rawValue) has none"
    case .count, .distinctCount, .minimum, .maximum: nil
    }
  }

  fileprivate func type(of type: ValueType) -> ValueType {
    switch function {
    case .count, .distinctCount: .integer
    case .average: type.isInteger ? .double : type
    case .sum, .minimum, .maximum: type
    }
  }
}
