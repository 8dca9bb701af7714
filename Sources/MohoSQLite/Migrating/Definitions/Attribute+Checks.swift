import Foundation
import MohoMapping
import MohoRows

extension Attribute {
  /// The SQL conditions of the column's check constraint.
  var checkConditions: [String] {
    let column = quotedName(name)
    var conditions: [String] = []
    switch type {
    case .boolean: conditions.append("\(column) IN (0, 1)")
    case .int16: conditions.append("\(column) BETWEEN \(Int16.min) AND \(Int16.max)")
    case .int32: conditions.append("\(column) BETWEEN \(Int32.min) AND \(Int32.max)")
    case .uuid: conditions.append("length(\(column)) = 36")
    default: break
    }
    for constraint in constraints {
      switch constraint {
      case .minimum(let value):
        conditions.append("\(comparisonExpression) >= \(value.literal)")
      case .maximum(let value):
        conditions.append("\(comparisonExpression) <= \(value.literal)")
      case .length(let range):
        conditions.append(
          "length(\(column)) BETWEEN \(range.lowerBound) AND \(range.upperBound)")
      case .oneOf(let values) where values.isEmpty: conditions.append("\(column) IS NULL")
      case .oneOf(let values):
        conditions.append("\(column) IN (\(values.map(\.literal).joined(separator: ", ")))")
      }
    }
    return conditions
  }

  /// The column in the form that conditions compare. Decimals are compared in
  /// double precision. A check that used a collation of Moho would prevent
  /// other programs from writing to the table.
  private var comparisonExpression: String {
    type == .decimal ? "CAST(\(quotedName(name)) AS REAL)" : quotedName(name)
  }
}

extension FieldContent {
  /// The value as an SQL literal.
  var literal: String {
    switch self {
    case .null, .object, .array, .dictionary: "NULL"
    case .bool(let value): value ? "1" : "0"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): value.literal
    case .date(let value): value.timeIntervalSinceReferenceDate.literal
    case .decimal(let value): "'\(value)'"
    case .string(let value): value.literal
    case .data(let value): "x'" + value.map { hexadecimal($0) }.joined() + "'"
    }
  }
}

extension Double {
  fileprivate var literal: String {
    isInfinite ? (self < 0 ? "-9e999" : "9e999") : "\(self)"
  }
}

extension String {
  /// The text as an SQL literal. SQL text ends at a null character, so text
  /// with null characters is written as a blob that is cast to text.
  fileprivate var literal: String {
    if utf8.contains(0) {
      return "CAST(x'" + utf8.map { hexadecimal($0) }.joined() + "' AS TEXT)"
    }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
      + "'"
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
}

extension AttributeType {
  /// The SQLite type of its columns.
  var columnType: String {
    switch self {
    case .int16, .int32, .int64, .uint64, .boolean: "INTEGER"
    case .double, .float, .date: "REAL"
    case .string, .decimal, .uuid, .url, .structured: "TEXT"
    case .data: "BLOB"
    }
  }
}
