import Foundation
import GRDBSQLite
import MohoMapping

/// A value of a column, kept beyond the step of its statement.
enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case number(Double)
  case text(String)
  /// Text whose bytes are no UTF-8.
  case invalidText
  case blob(Data)
}

extension StoredValue {
  // SAFETY: The statement stands on a row, and the bytes that SQLite points to
  // stay until it moves on; they are copied before.
  init(_ statement: OpaquePointer, _ column: Int32) {
    let value = sqlite3_column_value(statement, column)
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .number(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(value)
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .invalidText
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
      self = .blob(Data(bytes))
    default: self = .null
    }
  }
}

extension StoredValue: CustomStringConvertible {
  /// The value as messages show it.
  var description: String {
    switch self {
    case .null: "null"
    case .integer(let value): "integer \(value)"
    case .number(let value): "number \(value)"
    case .text(let value): "text " + MohoMapping.quoted(value)
    case .invalidText: "text of other bytes than UTF-8"
    case .blob(let value): "\(value.count) bytes"
    }
  }
}

extension FieldContent {
  /// What a column of a type holds.
  init(_ value: StoredValue, _ type: AttributeType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let value), .boolean): self = .bool(value != 0)
    case (.integer(let value), _): self = .int64(value)
    case (.number(let value), .date): self = .date(Date(timeIntervalSinceReferenceDate: value))
    case (.number(let value), _): self = .double(value)
    case (.text(let text), .decimal):
      self = DecimalText.decimal(text).map { .decimal($0) } ?? .string(text)
    case (.text(let text), _): self = .string(text)
    case (.invalidText, _): self = .string("\u{FFFD}")
    case (.blob(let value), _): self = .data(value)
    }
  }
}
