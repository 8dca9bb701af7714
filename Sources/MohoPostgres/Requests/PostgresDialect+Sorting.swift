import MohoMapping
import MohoRows

extension PostgresDialect {
  func selected(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String {
    switch operand.type {
    case .null: "NULL::int8"
    case .integer: "(\(try writer.sql(operand)))::int8"
    case .unsigned: typed(try writer.sql(operand), .uint64)
    case .string: typed(try text(&writer, operand), .text)
    case .decimal: typed(try writer.sql(operand), .numeric)
    default: typed(try writer.sql(operand), .float8)
    }
  }

  /// Returns a value that has a type, even if it is a constant null.
  private func typed(_ term: String, _ type: PostgresType) -> String {
    term == "NULL" ? "NULL::\(type.name)" : term
  }

  func sortValue(_ writer: inout SQLWriter, _ resolved: ResolvedOrdering) throws -> String {
    let operand = resolved.operand
    // A constant without a type cannot sort rows.
    if operand.type == .null { return "NULL::int8" }
    if resolved.ordering.transformsText {
      return typed(try sortText(&writer, operand, resolved.ordering), .text)
    }
    // UUIDs have the same order as their texts.
    if case .value(_, let attribute) = operand, attribute.type == .structured {
      return try text(&writer, operand)
    }
    return typed(try writer.sql(operand), .int8)
  }

  func nulls(
    _ position: Ordering.NilPosition, _ direction: Ordering.Direction, isNeverNull: Bool
  ) -> String {
    // Indexes of required columns have no position of nulls.
    isNeverNull ? "" : position == .first ? " NULLS FIRST" : " NULLS LAST"
  }

  func section(_ writer: inout SQLWriter, _ resolved: ResolvedOrdering) throws -> String {
    let options = resolved.ordering.options
    let operand = resolved.operand
    return operand.type == .null ? "NULL::text" : try foldedText(&writer, operand, options)
  }

  func group(_ term: String, _ type: ValueType) -> String { term }

  func groupOrder(_ term: String, _ type: ValueType) -> String { term + " NULLS FIRST" }

  func aggregate(_ function: Aggregate.Function, _ term: String, _ type: ValueType) -> String {
    switch (function, type) {
    case (.count, _): "count(\(term))"
    case (.distinctCount, _): "count(DISTINCT \(group(term, type)))"
    case (.sum, .integer): sum(term, Int64.min, Int64.max, .int8)
    case (.sum, .unsigned): sum(term, 0, UInt64.max, .uint64)
    case (.sum, .null): "sum(\(term))::int8"
    // The caller divides the sum of decimals by their count.
    case (.sum, .decimal), (.average, .decimal): "\(PostgresFunctions.rounded)(sum(\(term)))"
    case (.sum, _): doubleSum(term)
    case (.average, .integer), (.average, .unsigned), (.average, .null):
      "(sum(\(term))::float8 / count(\(term)))"
    case (.average, _):
      "\(PostgresFunctions.double)('/', \(doubleSum(term)), count(\(term))::float8)"
    case (.minimum, .boolean): "bool_and(\(term))"
    case (.maximum, .boolean): "bool_or(\(term))"
    // PostgreSQL has no minimum and maximum of bytes.
    case (.minimum, .data): "(array_agg(\(term) ORDER BY \(term)))[1]"
    case (.maximum, .data): "(array_agg(\(term) ORDER BY \(term) DESC NULLS LAST))[1]"
    case (.minimum, _): "min(\(term))"
    case (.maximum, _): "max(\(term))"
    }
  }

  /// Returns the exact sum of doubles, rounded once. The server's own sum depends on the
  /// order of the rows.
  private func doubleSum(_ term: String) -> String {
    let sums = [PostgresFunctions.high, PostgresFunctions.low, PostgresFunctions.rest].map {
      "sum(\($0)(\(term)))"
    }
    return "\(PostgresFunctions.total)(\(sums.joined(separator: ", ")))"
  }

  /// Returns the sum of integers, which is null if it is out of range.
  private func sum<Bound>(
    _ term: String, _ lower: Bound, _ upper: Bound, _ type: PostgresType
  ) -> String {
    "CASE WHEN sum(\(term)) BETWEEN \(lower) AND \(upper) THEN sum(\(term))::\(type.name) END"
  }
}
