import Foundation
import MohoMapping
import MohoRows

/// The SQL of PostgreSQL, with the functions of ``PostgresFunctions``.
///
/// Values have one SQL type for each `ValueType`, except these:
/// - The columns of UUIDs and structured values have their own types. They are
///   compared in the form of their texts.
/// - Calculated dates are seconds since 2001 in double precision, because they
///   have more digits than `timestamptz`.
struct PostgresDialect: SQLDialect {
  let always = "true"
  let never = "false"
  let isSame = "IS NOT DISTINCT FROM"
  let subqueryName = " AS s"
  let sortsDistinctRowsOutside = true
  let maximumParameterCount = 65_535

  /// The values that only the client can compute.
  var computed = ComputedTexts()

  func negation(_ condition: String) -> String { "((\(condition)) IS NOT TRUE)" }

  func parameter(_ number: Int, _ value: FieldContent) -> String {
    switch value {
    case .null: "$\(number)"
    case .bool: "$\(number)::bool"
    case .int64: "$\(number)::int8"
    case .uint64: "$\(number)::\(PostgresType.uint64.name)"
    case .double: "$\(number)::float8"
    case .decimal: "$\(number)::numeric"
    case .string: "$\(number)::text COLLATE \"C\""
    case .data: "$\(number)::bytea"
    case .date: "$\(number)::timestamptz"
    case .array(let elements):
      switch elements.first {
      case .string: "$\(number)::text[] COLLATE \"C\""
      case .data: "$\(number)::bytea[]"
      case .uint64: "$\(number)::\(PostgresType.uint64.name)[]"
      default: "$\(number)::int8[]"
      }
    case .object, .dictionary: "$\(number)::jsonb"
    }
  }

  func constant(_ writer: inout SQLWriter, _ value: FieldContent) throws -> String {
    switch value {
    case .null: return "NULL"
    case .string(let text) where text.utf8.contains(0):
      throw StoreError(
        .invalidRequest,
        reason: "\(value) has a null character, which PostgreSQL cannot store in a text")
    default: return try writer.bind(value)
    }
  }

  func limit(_ limit: Int?) -> String { limit.map { " LIMIT \($0)" } ?? "" }

  func isInList(_ term: String) -> String { "\(term) = ANY($1::int8[])" }

  func list(_ integers: some Collection<Int64>) -> FieldContent {
    .array(integers.map { .int64($0) })
  }

  func arithmetic(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ operation: Arithmetic,
    _ right: ResolvedOperand, _ type: ValueType
  ) throws -> String {
    if type == .null { return "NULL" }
    if case .constant(let one) = left, case .constant(let other) = right {
      return try constant(&writer, operation.result(one, other).inSeconds)
    }
    let (function, one, other) =
      switch type {
      case .integer:
        (PostgresFunctions.integer, try writer.sql(left), try writer.sql(right))
      case .unsigned:
        (PostgresFunctions.unsigned, try writer.sql(left), try writer.sql(right))
      case .decimal:
        (PostgresFunctions.decimal, try writer.sql(left), try writer.sql(right))
      default: (PostgresFunctions.double, try double(&writer, left), try double(&writer, right))
      }
    let result = "\(function)('\(operation.rawValue)', \(one), \(other))"
    // The result of a function has no modifier.
    return type == .unsigned ? "\(result)::\(PostgresType.uint64.name)" : result
  }

  /// Returns the SQL of a number or a date in double precision.
  func double(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String {
    switch (operand.type, operand) {
    case (.integer, _), (.unsigned, _), (.decimal, _): "(\(try writer.sql(operand)))::float8"
    case (.date, .constant(let date)): try constant(&writer, date.inSeconds)
    case (.date, .value): "\(PostgresFunctions.seconds)(\(try writer.sql(operand)))"
    default: try writer.sql(operand)
    }
  }
}

extension FieldContent {
  /// The content, or the seconds since 2001 of a date.
  fileprivate var inSeconds: FieldContent {
    if case .date(let date) = self { .double(date.timeIntervalSinceReferenceDate) } else { self }
  }
}
