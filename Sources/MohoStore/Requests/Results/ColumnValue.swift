import Foundation
import GRDBSQLite
import MohoMapping

extension FieldContent {
  /// The value of a column of the row that a statement stands on.
  // SAFETY: the bytes that `sqlite3_column_text` and `sqlite3_column_blob`
  // point to stay until the statement moves on, which is after their use.
  init(_ statement: OpaquePointer, _ column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .int64(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .double(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .string(
        String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .data(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
    default: self = .null
    }
  }

  /// The value as one of an operand's type.
  ///
  /// - Throws: `MappingError` where it is none, as other programs may have
  ///   written it.
  func typed(_ type: ValueType, _ name: String) throws -> FieldContent {
    switch (type, self) {
    case (_, .null), (.null, _), (.integer, .int64), (.double, .double), (.string, .string),
      (.data, .data):
      return self
    case (.boolean, .int64(let value)) where value == 0 || value == 1: return .bool(value == 1)
    case (.date, .double(let value)): return .date(Date(timeIntervalSinceReferenceDate: value))
    case (.decimal, .string(let text)):
      if let value = DecimalText.decimal(text) { return .decimal(value) }
    default: break
    }
    throw MappingError(
      .invalidType, path: FieldPath([.key(name)]), found: "\(self)", expected: type.rawValue)
  }
}
