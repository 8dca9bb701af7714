import Foundation
import MohoMapping

extension Attribute {
  /// The conditions that the column checks, beside its type.
  var checks: [String] {
    let column = quoted(name)
    var checks: [String] = []
    switch type {
    case .boolean: checks.append("\(column) IN (0, 1)")
    case .int16: checks.append("\(column) BETWEEN \(Int16.min) AND \(Int16.max)")
    case .int32: checks.append("\(column) BETWEEN \(Int32.min) AND \(Int32.max)")
    case .uuid: checks.append("length(\(column)) = 36")
    default: break
    }
    for constraint in constraints {
      switch constraint {
      case .minimum(let value): checks.append("\(comparable) >= \(value.literal)")
      case .maximum(let value): checks.append("\(comparable) <= \(value.literal)")
      case .length(let range):
        checks.append("length(\(column)) BETWEEN \(range.lowerBound) AND \(range.upperBound)")
      case .oneOf(let values):
        checks.append("\(column) IN (\(values.map(\.literal).joined(separator: ", ")))")
      }
    }
    return checks
  }

  /// The column as it is compared. Decimals are compared as numbers in double
  /// precision here: checks must not need a collation of Moho's, without which
  /// other programs could not write the table.
  private var comparable: String {
    type == .decimal ? "CAST(\(quoted(name)) AS REAL)" : quoted(name)
  }
}

extension FieldContent {
  /// The value as SQL spells it.
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
  /// A text in quotes. One with null characters, at which SQL ends, in bytes.
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
