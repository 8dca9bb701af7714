import Foundation
import GRDBSQLite
import MohoMapping

/// The function `SQLFunctionName.nested`.
///
/// It uses SQLite's interface and not GRDB's, so that the text is not copied, and results
/// can contain null characters.
enum NestedValueFunction {
  private static let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC

  static func install(on connection: OpaquePointer) {
    // SAFETY: SQLite passes `count` values, which are valid until the closure returns.
    _ = sqlite3_create_function_v2(
      connection, SQLFunctionName.nested, -1, flags, nil,
      { context, count, values in
        let values = UnsafeMutableBufferPointer(start: values, count: Int(count))
        if let context { NestedValueFunction.value(of: values).returnResult(to: context) }
      }, nil, nil, nil)
  }

  private static func value(
    of arguments: UnsafeMutableBufferPointer<OpaquePointer?>
  ) -> FieldContent {
    guard arguments.count > 2, let number = SQLiteValue(arguments[2]).integer,
      let path = NestedPathNumbers.path(Int(truncatingIfNeeded: number))
    else { return .null }
    let column = SQLiteValue(arguments[0])
    if column.isNull { return .null }
    switch path.find(in: column.text) {
    case .content(let content): return content
    case .absent(let step):
      // If no step has a default, there are no more arguments.
      guard 3 + step < arguments.count, let json = SQLiteValue(arguments[3 + step]).string else {
        return .null
      }
      return path.form.content(ofJSON: json)
    }
  }
}

extension FieldContent {
  /// Returns the content as the result of a function, in the form of a column.
  // SAFETY: SQLite copies the bytes before the calls return.
  fileprivate func returnResult(to context: OpaquePointer) {
    switch self {
    case .bool(let value): sqlite3_result_int(context, value ? 1 : 0)
    case .int64(let value): sqlite3_result_int64(context, value)
    case .double(let value): sqlite3_result_double(context, value)
    case .date(let value):
      sqlite3_result_double(context, value.timeIntervalSinceReferenceDate)
    case .decimal(let value): FieldContent.string(value.description).returnResult(to: context)
    case .string(var value):
      value.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
          let start = text.baseAddress ?? emptyText.assumingMemoryBound(to: CChar.self)
          sqlite3_result_text64(
            context, start, UInt64(text.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    case .data(let value):
      value.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          sqlite3_result_blob64(context, start, UInt64(bytes.count), transient)
        } else {
          sqlite3_result_zeroblob(context, 0)
        }
      }
    case .null, .uint64, .object, .array, .dictionary: sqlite3_result_null(context)
    }
  }
}
