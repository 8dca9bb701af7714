import Foundation
import MohoMapping
import MohoRows

extension PostgresDialect {
  func comparison(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ comparison: Filter.Comparison,
    _ right: ResolvedOperand, _ type: ComparedType
  ) throws -> String {
    if left.type == .null || right.type == .null {
      return try nullComparison(&writer, left, comparison, right)
    }
    let isNull = !left.isValue && !right.isValue
    let one: String
    let other: String
    switch (left.type, right.type) {
    case (.integer, .double), (.unsigned, .double):
      return try exactComparison(&writer, left, comparison, right)
    case (.double, .integer), (.double, .unsigned):
      return try exactComparison(&writer, right, comparison.mirrored, left)
    case (.string, _): (one, other) = try texts(&writer, left, right)
    case (.date, _) where left.isExactDate && right.isExactDate:
      (one, other) = (try writer.sql(left), try writer.sql(right))
    case (.date, _):
      (one, other) = (try double(&writer, left), try double(&writer, right))
    default:
      (one, other) =
        type == .double
        ? (try double(&writer, left), try double(&writer, right))
        : (try writer.sql(left), try writer.sql(right))
    }
    return "\(one) \(comparison.sign(matchesNull: isNull)) \(other)"
  }

  /// Returns a comparison with an operand that is always null.
  private func nullComparison(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ comparison: Filter.Comparison,
    _ right: ResolvedOperand
  ) throws -> String {
    guard comparison == .equal || comparison == .notEqual else { return never }
    let other = left.type == .null ? right : left
    if other.type == .null { return comparison == .equal ? always : never }
    return "(\(try writer.sql(other)) IS \(comparison == .equal ? "NULL" : "NOT NULL"))"
  }

  /// Returns a comparison of an integer and a double by their exact values.
  /// PostgreSQL would round the integer.
  private func exactComparison(
    _ writer: inout SQLWriter, _ integer: ResolvedOperand, _ comparison: Filter.Comparison,
    _ double: ResolvedOperand
  ) throws -> String {
    let isNull = !integer.isValue && !double.isValue
    if case .constant(.double(let value)) = double, let exact = Int64(exactly: value) {
      return "\(try writer.sql(integer)) \(comparison.sign(matchesNull: isNull))"
        + " \(try constant(&writer, .int64(exact)))"
    }
    if case .constant(.int64(let value)) = integer, let exact = Double(exactly: value) {
      return "\(try constant(&writer, .double(exact))) \(comparison.sign(matchesNull: isNull))"
        + " \(try writer.sql(double))"
    }
    let arguments = "(\(try writer.sql(integer)), \(try writer.sql(double)))"
    let (isEqual, order) =
      integer.type == .unsigned
      ? (PostgresFunctions.unsignedIsEqual, PostgresFunctions.unsignedOrder)
      : (PostgresFunctions.isEqual, PostgresFunctions.order)
    return switch comparison {
    case .equal: "\(isEqual)\(arguments)"
    case .notEqual: "(NOT \(isEqual)\(arguments))"
    default: "\(order)\(arguments) \(comparison.rawValue) 0"
    }
  }

  /// Returns the SQL of two texts in a form that can be compared.
  private func texts(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ right: ResolvedOperand
  ) throws -> (String, String) {
    switch (left, right) {
    case (_, _) where left.isUUID && right.isUUID:
      (try writer.sql(left), try writer.sql(right))
    case (_, .constant(let value)) where left.isUUID && value.isUUID:
      (try writer.sql(left), "(\(try writer.bind(value)))::uuid")
    case (.constant(let value), _) where right.isUUID && value.isUUID:
      ("(\(try writer.bind(value)))::uuid", try writer.sql(right))
    default: (try text(&writer, left), try text(&writer, right))
    }
  }

  /// Returns the SQL of a text, which is compared by its bytes.
  func text(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String {
    let term = try writer.sql(operand)
    guard case .value(_, let attribute) = operand else { return term }
    return Self.text(term, attribute.type)
  }

  func membership(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ values: [FieldContent],
    orNull: Bool
  ) throws -> String {
    var conditions: [String] = []
    // A UUID equals no other text, and no text has a null character.
    let values = values.filter { value in
      if operand.isUUID { return value.isUUID }
      if case .string(let text) = value { return !text.utf8.contains(0) }
      return true
    }
    if !values.isEmpty, operand.type != .null {
      conditions.append(try membership(&writer, operand, values))
    }
    if orNull {
      conditions.append(operand.type == .null ? always : "\(try writer.sql(operand)) IS NULL")
    }
    return switch conditions.count {
    case 0: never
    case 1: conditions[0]
    default: "(\(conditions.joined(separator: " OR ")))"
    }
  }

  private func membership(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ values: [FieldContent]
  ) throws -> String {
    var values = values
    // The elements of a list have one type.
    if operand.type == .unsigned, values.contains(where: \.isUnsigned) {
      values = values.compactMap { value in
        guard case .int64(let integer) = value else { return value }
        return UInt64(exactly: integer).map { .uint64($0) }
      }
    }
    let isInteger = values.allSatisfy { $0.isInteger }
    let isText = values.allSatisfy { if case .string = $0 { true } else { false } }
    if operand.type.isInteger && isInteger || operand.type == .string && isText {
      let one = operand.isUUID ? try writer.sql(operand) : try text(&writer, operand)
      let list = try writer.bind(.array(values))
      return "\(one) = ANY(\(operand.isUUID ? "(\(list))::uuid[]" : list))"
    }
    let comparisons = try values.map { value in
      let constant = ResolvedOperand.constant(value)
      guard let type = ComparedType(operand.type, constant.type) else { return never }
      return try comparison(&writer, operand, .equal, constant, type)
    }
    return "(\(comparisons.joined(separator: " OR ")))"
  }
}

extension Filter.Comparison {
  /// The operator of SQL.
  ///
  /// - Parameter matchesNull: Whether two nulls must be equal. Otherwise, one
  ///   value is not null.
  fileprivate func sign(matchesNull: Bool) -> String {
    switch self {
    case .equal: matchesNull ? "IS NOT DISTINCT FROM" : "="
    case .notEqual: "IS DISTINCT FROM"
    default: rawValue
    }
  }

  /// The comparison with its sides swapped.
  fileprivate var mirrored: Filter.Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
}

extension ResolvedOperand {
  fileprivate var isUUID: Bool {
    if case .value(_, let attribute) = self { attribute.type == .uuid } else { false }
  }

  /// Whether the date is a column, or a constant that a column can contain.
  fileprivate var isExactDate: Bool {
    switch self {
    case .value: true
    case .constant(.date(let date)): (try? PostgresDate.rounded(date)) == date
    default: false
    }
  }
}

extension FieldContent {
  fileprivate var isUnsigned: Bool { if case .uint64 = self { true } else { false } }

  fileprivate var isInteger: Bool {
    switch self {
    case .int64, .uint64: true
    default: false
    }
  }

  /// Whether the content is the text of a stored UUID.
  fileprivate var isUUID: Bool {
    guard case .string(let text) = self else { return false }
    return UUID(uuidString: text)?.uuidString == text
  }
}
