import GRDB
import MohoMapping

/// A request for values of groups of rows, as SQL.
struct AggregateSQL {
  let statement: BoundSQL
  let names: [String]
  let types: [ValueType]

  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  init(
    _ request: RowRequest, _ schema: Schema, _ aggregates: [Aggregate], groupedBy keys: [Operand]
  ) throws {
    // Counts of rows have no value of their own.
    let operands = aggregates.map { $0.value ?? .constant(.int64(1)) }
    let rows = try RequestSQL(request, schema, selecting: keys + operands)
    var types = rows.request.selection.map(\.type)
    let issues = zip(aggregates, types.dropFirst(keys.count)).compactMap { $0.issue(of: $1) }
    guard issues.isEmpty else {
      throw StoreError(.invalidRequest, reason: issues.joined(separator: "; "))
    }
    let groups = keys.indices.map { index in
      types[index] == .decimal ? "g\(index)\(DecimalText.collationClause)" : "g\(index)"
    }
    var terms = keys.indices.map { "g\($0)" }
    for (index, aggregate) in aggregates.enumerated() {
      let position = keys.count + index
      terms.append(aggregate.sql(of: "g\(position)", types[position]))
      types[position] = aggregate.type(of: types[position])
    }
    names = keys.map(\.description) + aggregates.map(\.name)
    self.types = types
    statement = try rows.aggregate { query in
      let grouping = groups.joined(separator: ", ")
      return "SELECT \(terms.joined(separator: ", ")) FROM (\(query))"
        + (groups.isEmpty ? "" : " GROUP BY \(grouping) ORDER BY \(grouping)")
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
    case .average: type == .integer ? .double : type
    case .sum, .minimum, .maximum: type
    }
  }

  fileprivate func sql(of term: String, _ type: ValueType) -> String {
    let collated = type == .decimal ? term + DecimalText.collationClause : term
    return switch function {
    case .count: "count(\(term))"
    case .sum: type == .decimal ? "\(DecimalSum.name)(\(term))" : "sum(\(term))"
    case .average: type == .decimal ? "\(DecimalAverage.name)(\(term))" : "avg(\(term))"
    case .minimum: "min(\(collated))"
    case .maximum: "max(\(collated))"
    }
  }
}

/// The sum of decimals, as SQL's `sum` would make it of doubles.
struct DecimalSum: DatabaseAggregate {
  static let name = "moho_sum"
  static let function = DatabaseFunction(
    name, argumentCount: 1, pure: true, aggregate: DecimalSum.self)

  private(set) var sum: FieldContent?
  private(set) var count: Int64 = 0

  mutating func step(_ values: [DatabaseValue]) {
    guard let decimal = String.fromDatabaseValue(values[0]).flatMap(DecimalText.decimal) else {
      return
    }
    count += 1
    sum = sum.map { Arithmetic.add.result($0, .decimal(decimal)) } ?? .decimal(decimal)
  }

  func finalize() throws -> (any DatabaseValueConvertible)? { try sum?.databaseValue }
}

/// The average of decimals.
struct DecimalAverage: DatabaseAggregate {
  static let name = "moho_average"
  static let function = DatabaseFunction(
    name, argumentCount: 1, pure: true, aggregate: DecimalAverage.self)

  private var values = DecimalSum()

  mutating func step(_ values: [DatabaseValue]) { self.values.step(values) }

  func finalize() throws -> (any DatabaseValueConvertible)? {
    try values.sum.map { try Arithmetic.divide.result($0, .int64(values.count)).databaseValue }
  }
}
