import Foundation
import MohoMapping

extension SQLWriter {
  mutating func comparison(
    _ left: ResolvedOperand, _ comparison: Filter.Comparison, _ right: ResolvedOperand,
    _ type: ComparedType
  ) throws -> String {
    var (one, other) = (try sql(left, as: type), try sql(right, as: type))
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
  private mutating func sql(_ operand: ResolvedOperand, as type: ComparedType) throws -> String {
    switch (type, operand.type) {
    case (.decimal, .integer): "CAST(\(try sql(operand)) AS TEXT)"
    case (.double, .decimal): "\(SQLFunctionName.double)(\(try sql(operand)))"
    default: try sql(operand)
    }
  }

  mutating func arithmetic(
    _ left: ResolvedOperand, _ operation: Arithmetic, _ right: ResolvedOperand, _ type: ValueType
  ) throws -> String {
    if type == .null { return "NULL" }
    guard type == .integer || type == .decimal else {
      // SQLite's own arithmetic in double precision. A result that is not a
      // number and a division by zero are null.
      return "(\(try real(left)) \(operation.rawValue) \(try real(right)))"
    }
    return "\(SQLFunctionName.calculate)('\(operation.rawValue)',"
      + " \(try sql(left)), \(try sql(right)))"
  }

  /// Returns the SQL of a number in double precision.
  private mutating func real(_ operand: ResolvedOperand) throws -> String {
    switch operand.type {
    case .integer: "CAST(\(try sql(operand)) AS REAL)"
    case .decimal: "\(SQLFunctionName.double)(\(try sql(operand)))"
    default: try sql(operand)
    }
  }

  mutating func text(_ operand: ResolvedOperand, _ match: TextMatch) throws -> String {
    // Bound as bytes, because GRDB truncates texts at their first null
    // character.
    let text = try bind(.data(Data(match.text.utf8)))
    let column = try sql(operand)
    let matches =
      "\(SQLFunctionName.matches)(CAST(\(column) AS BLOB), '\(match.kind.rawValue)', \(text),"
      + " \(match.options.rawValue))"
    guard case .value = operand, let range = match.range else { return matches }
    // An index can search the range, so that the function runs for fewer rows.
    let lower = try bind(.string(range.lowerBound))
    let upper = try bind(.string(range.upperBound))
    return "(\(column) >= \(lower) AND \(column) < \(upper) AND \(matches))"
  }
}

extension ResolvedOperand {
  /// Whether the operand is a constant other than null.
  fileprivate var isValue: Bool {
    if case .constant(let content) = self { !content.isNull } else { false }
  }
}
