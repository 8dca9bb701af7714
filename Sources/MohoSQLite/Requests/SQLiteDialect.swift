import Foundation
import MohoMapping
import MohoRows

/// The SQL of SQLite, with the functions and collations of
/// ``SQLFunctionName``.
struct SQLiteDialect: SQLDialect {
  let always = "1"
  let never = "0"
  let isSame = "IS"
  let subqueryName = ""
  let sortsDistinctRowsOutside = false
  let maximumParameterCount = 32_766

  func negation(_ condition: String) -> String { "(\(condition) IS NOT TRUE)" }

  func parameter(_ number: Int, _ value: FieldContent) -> String { "?\(number)" }

  func constant(_ writer: inout SQLWriter, _ value: FieldContent) throws -> String {
    try writer.bind(value)
  }

  func limit(_ limit: Int?) -> String { " LIMIT \(limit ?? -1)" }

  func isInList(_ term: String) -> String { "\(term) IN (SELECT value FROM json_each(?))" }

  func list(_ integers: some Collection<Int64>) -> FieldContent {
    .string(SQLListQuery.json(integers))
  }

  func membership(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ values: [FieldContent],
    orNull: Bool
  ) throws -> String {
    let one = try writer.sql(operand)
    var list: [String] = []
    for value in values { list.append(try writer.bind(value)) }
    let collated = operand.type == .decimal ? one + DecimalText.collationClause : one
    let membership = "\(collated) IN (\(list.joined(separator: ", ")))"
    return orNull ? "(\(membership) OR \(one) IS NULL)" : membership
  }

  func indexLetter(
    _ writer: inout SQLWriter, _ text: ResolvedOperand, locale: String?
  ) throws -> String {
    let locale = locale.map { ", " + quotedText($0) } ?? ""
    return "\(SQLFunctionName.indexLetter)(CAST(\(try writer.sql(text)) AS BLOB)\(locale))"
  }

  func comparison(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ comparison: Filter.Comparison,
    _ right: ResolvedOperand, _ type: ComparedType
  ) throws -> String {
    var (one, other) = (try sql(&writer, left, as: type), try sql(&writer, right, as: type))
    if type == .decimal { one += DecimalText.collationClause }
    let sign =
      switch comparison {
      // If one side is a constant other than null, neither operator matches
      // null. SQLite can use `=` for joins in either direction.
      case .equal: right.isValue || left.isValue ? "=" : "IS"
      case .notEqual: "IS NOT"
      default: comparison.rawValue
      }
    return "\(one) \(sign) \(other)"
  }

  /// Returns the SQL of a value in the form that is compared.
  private func sql(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, as type: ComparedType
  ) throws -> String {
    switch (type, operand.type) {
    case (.decimal, .integer): "CAST(\(try writer.sql(operand)) AS TEXT)"
    case (.double, .decimal): "\(SQLFunctionName.double)(\(try writer.sql(operand)))"
    default: try writer.sql(operand)
    }
  }

  func arithmetic(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ operation: Arithmetic,
    _ right: ResolvedOperand, _ type: ValueType
  ) throws -> String {
    if type == .null { return "NULL" }
    guard type == .integer || type == .decimal else {
      // SQLite's own arithmetic in double precision. A result that is not a
      // number and a division by zero are null.
      return "(\(try real(&writer, left)) \(operation.rawValue) \(try real(&writer, right)))"
    }
    return "\(SQLFunctionName.calculate)('\(operation.rawValue)',"
      + " \(try writer.sql(left)), \(try writer.sql(right)))"
  }

  /// Returns the SQL of a number in double precision.
  private func real(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand
  ) throws -> String {
    switch operand.type {
    case .integer: "CAST(\(try writer.sql(operand)) AS REAL)"
    case .decimal: "\(SQLFunctionName.double)(\(try writer.sql(operand)))"
    default: try writer.sql(operand)
    }
  }

  func nested(_ key: NestedKey, in column: String) -> String {
    let number = NestedPathNumbers.number(of: key.path)
    var arguments = [column, quotedText(key.names.joined(separator: ".")), "\(number)"]
    if key.defaults.contains(where: { $0 != nil }) {
      arguments += key.defaults.map { $0.map(quotedText) ?? "NULL" }
    }
    return "\(SQLFunctionName.nested)(\(arguments.joined(separator: ", ")))"
  }

  func text(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ match: TextMatch
  ) throws -> String {
    // Bound as bytes, because GRDB truncates texts at their first null
    // character.
    let text = try writer.bind(.data(Data(match.text.utf8)))
    let column = try writer.sql(operand)
    let matches =
      "\(SQLFunctionName.matches)(CAST(\(column) AS BLOB), '\(match.kind.rawValue)', \(text),"
      + " \(match.options.rawValue))"
    guard case .value = operand, let range = match.range else { return matches }
    // An index can search the range, so that the function runs for fewer rows.
    let lower = try writer.bind(.string(range.lowerBound))
    let upper = try writer.bind(.string(range.upperBound))
    return "(\(column) >= \(lower) AND \(column) < \(upper) AND \(matches))"
  }
}

extension SQLiteDialect {
  func selected(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String {
    try writer.sql(operand)
  }

  func sortValue(_ writer: inout SQLWriter, _ resolved: ResolvedOrdering) throws -> String {
    let term = try writer.sql(resolved.operand)
    let options = resolved.ordering.options
    if let collation = resolved.ordering.collation {
      return "\(SQLFunctionName.collateText)(CAST(\(term) AS BLOB), \(options.rawValue),"
        + " \(quotedText(collation.localeIdentifier)), \(collation.comparesNumbers ? 1 : 0))"
        + " COLLATE \(SQLFunctionName.textCollation)"
    }
    if !options.isEmpty {
      return "\(SQLFunctionName.sortText)(CAST(\(term) AS BLOB), \(options.rawValue))"
    }
    return resolved.operand.type == .decimal ? term + DecimalText.collationClause : term
  }

  func nulls(
    _ position: Ordering.NilPosition, _ direction: Ordering.Direction, isNeverNull: Bool
  ) -> String {
    let usual: Ordering.NilPosition = direction == .ascending ? .first : .last
    if position == usual { return "" }
    return position == .first ? " NULLS FIRST" : " NULLS LAST"
  }

  func section(_ writer: inout SQLWriter, _ resolved: ResolvedOrdering) throws -> String {
    let term = try writer.sql(resolved.operand)
    let options = resolved.ordering.options
    return "\(SQLFunctionName.sectionText)(CAST(\(term) AS BLOB), \(options.rawValue))"
  }

  func group(_ term: String, _ type: ValueType) -> String {
    type == .decimal ? term + DecimalText.collationClause : term
  }

  func groupOrder(_ term: String, _ type: ValueType) -> String { group(term, type) }

  func aggregate(_ function: Aggregate.Function, _ term: String, _ type: ValueType) -> String {
    switch (function, type) {
    case (.count, _): "count(\(term))"
    case (.distinctCount, _): "count(DISTINCT \(group(term, type)))"
    // The caller divides the sum of decimals by their count.
    case (.sum, .decimal), (.average, .decimal): "\(SQLFunctionName.decimalSum)(\(term))"
    case (.sum, .integer), (.sum, .unsigned): integerSum(term)
    case (.average, .integer), (.average, .unsigned): integerAverage(term)
    case (.sum, .double): "\(SQLFunctionName.doubleSum)(\(term))"
    case (.average, .double): "(\(SQLFunctionName.doubleSum)(\(term)) / count(\(term)))"
    case (.sum, _): "sum(\(term))"
    case (.average, _): "avg(\(term))"
    case (.minimum, _): "min(\(group(term, type)))"
    case (.maximum, _): "max(\(group(term, type)))"
    }
  }

  /// Returns the sum of integers, which is null if it exceeds 64 bits. SQLite's own
  /// function fails if an intermediate sum does.
  private func integerSum(_ term: String) -> String {
    let (upper, lower) = halves(ofSum: term)
    return "CASE WHEN \(upper) BETWEEN -2147483648 AND 2147483647"
      + " THEN (\(upper) << 32) + (\(lower)) END"
  }

  /// Returns the average of integers. The sum is rounded once.
  private func integerAverage(_ term: String) -> String {
    let (upper, lower) = halves(ofSum: term)
    return "(\(upper) * 4294967296.0 + (\(lower))) / count(\(term))"
  }

  /// Returns the upper part and the lower 32 bits of a sum.
  private func halves(ofSum term: String) -> (upper: String, lower: String) {
    let lower = "sum(\(term) & 4294967295)"
    return ("(sum(\(term) >> 32) + (\(lower) >> 32))", "\(lower) & 4294967295")
  }
}
