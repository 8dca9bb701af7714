import Foundation
import MohoMapping
import MohoRows

/// The SQL of PostgreSQL for columns and their values.
struct PostgresColumns: ColumnDialect {
  let integerType = "int8"

  /// The types have the names of the system catalog.
  ///
  /// Text is compared by its bytes.
  func columnType(of type: AttributeType) -> String {
    switch type {
    case .int16: "int2"
    case .int32: "int4"
    case .int64: "int8"
    case .uint64: PostgresType.uint64.name
    case .decimal: "numeric"
    case .double, .float: "float8"
    case .string, .url: #"text COLLATE "C""#
    case .boolean: "bool"
    case .date: "timestamptz"
    case .data: "bytea"
    case .uuid: "uuid"
    case .structured: "jsonb"
    }
  }

  func literal(_ value: FieldContent, of type: AttributeType) -> String {
    switch value {
    case .null, .object, .array, .dictionary: "NULL"
    case .bool(let value): value ? "true" : "false"
    case .int64(let value): value == .min ? "(-9223372036854775807 - 1)" : "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value):
      value.isInfinite ? "'\(value < 0 ? "-" : "")Infinity'::float8" : "'\(value)'::float8"
    case .date(let value): "'\(PostgresTimestampText(value).text)'::timestamptz"
    case .decimal(let value): "\(value)"
    case .string(let value):
      switch type {
      case .uuid: "\(quotedText(value))::uuid"
      case .structured: "\(quotedText(value))::jsonb"
      default: quotedText(value)
      }
    case .data(let value):
      #"decode('"# + value.map { hexadecimal($0) }.joined() + "', 'hex')"
    }
  }

  func checkConditions(of attribute: Attribute) -> [String] {
    let column = quotedName(attribute.name)
    func literal(_ value: FieldContent) -> String { self.literal(value, of: attribute.type) }
    let constraints = attribute.constraints.map { constraint in
      switch constraint {
      case .minimum(let value): return "\(column) >= \(literal(value))"
      case .maximum(let value): return "\(column) <= \(literal(value))"
      case .length(let range):
        let function = attribute.type == .data ? "octet_length" : "char_length"
        return
          "\(function)(\(column)) BETWEEN \(range.lowerBound) AND \(min(range.upperBound, Int(Int32.max)))"
      case .oneOf(let values) where values.isEmpty: return "\(column) IS NULL"
      case .oneOf(let values):
        return "\(column) IN (\(values.map(literal).joined(separator: ", ")))"
      }
    }
    return attribute.type == .uint64
      ? ["\(column) BETWEEN 0 AND \(UInt64.max)"] + constraints : constraints
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
}

/// A date as text that PostgreSQL reads as a `timestamptz`, to the microsecond.
struct PostgresTimestampText {
  let text: String

  init(_ date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite else {
      text = seconds < 0 ? "-infinity" : "infinity"
      return
    }
    let microseconds =
      (try? PostgresDate.microseconds(of: date)) ?? (seconds < 0 ? .min : .max)
    let (days, rest) = microseconds.dividing(by: 86_400_000_000)
    // See <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>;
    // 730425 days lie between 0000-03-01 and 2000-01-01.
    let (era, day) = (days + 730_425).dividing(by: 146_097)
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let civilMonth = month < 10 ? month + 3 : month - 9
    let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let (second, fraction) = rest.dividing(by: 1_000_000)
    text =
      padded(civilYear > 0 ? civilYear : 1 - civilYear, 4) + "-" + padded(civilMonth, 2) + "-"
      + padded(dayOfYear - (153 * month + 2) / 5 + 1, 2) + " " + padded(second / 3600, 2) + ":"
      + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "." + padded(fraction, 6)
      + "+00" + (civilYear > 0 ? "" : " BC")
  }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which is not
  /// negative.
  fileprivate func dividing(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
