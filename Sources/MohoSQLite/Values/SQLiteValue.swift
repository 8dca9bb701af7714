import Foundation
import GRDBSQLite
import MohoMapping
import MohoRows

/// A value that SQLite owns: a column of the current row, an argument of a
/// function, or the old value of a row that is being written.
// SAFETY: The pointer and its bytes are valid until the statement steps or is
// reset, or until the function or hook returns. No caller stores them. SQLite
// allows reading the type and the content of a column's value if no other
// thread uses the connection, and GRDB serializes the access to it.
struct SQLiteValue {
  private let pointer: OpaquePointer?

  @inline(__always)
  init(_ pointer: OpaquePointer?) { self.pointer = pointer }

  /// The value of a column of the current row of a statement.
  @inline(__always)
  init(_ statement: OpaquePointer, _ column: Int32) {
    pointer = sqlite3_column_value(statement, column)
  }

  /// The storage class, such as `SQLITE_INTEGER`.
  @inline(__always)
  var type: Int32 { sqlite3_value_type(pointer) }

  @inline(__always)
  var isNull: Bool { type == SQLITE_NULL }

  /// The value of the storage class INTEGER.
  @inline(__always)
  var int64: Int64 { sqlite3_value_int64(pointer) }

  /// The integer, or nil if the value has another storage class.
  var integer: Int64? { type == SQLITE_INTEGER ? int64 : nil }

  /// The value of the storage class REAL.
  @inline(__always)
  var double: Double { sqlite3_value_double(pointer) }

  /// The bytes of a text in UTF-8, including null characters.
  var text: UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(pointer)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(pointer)))
  }

  /// The bytes of a blob, or of text in UTF-8.
  var bytes: UnsafeRawBufferPointer {
    // Call this first, because it converts text in another encoding to UTF-8.
    let count = Int(sqlite3_value_bytes(pointer))
    return UnsafeRawBufferPointer(start: sqlite3_value_blob(pointer), count: count)
  }

  /// The text, or nil if its bytes are not valid UTF-8.
  var string: String? {
    let text = text
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      guard let span = try? UTF8Span(validating: Span(_unsafeElements: text)) else { return nil }
      return String(copying: span)
    }
    return String(validating: text, as: UTF8.self)
  }
}

extension SQLiteValue {
  /// Whether both values have the same storage class and the same bytes, or are
  /// equal numbers.
  func isIdentical(to other: SQLiteValue) -> Bool {
    let type = type
    guard type == other.type else { return false }
    switch type {
    case SQLITE_NULL: return true
    case SQLITE_INTEGER: return int64 == other.int64
    case SQLITE_FLOAT: return double.isSameNumber(as: other.double)
    default:
      let (one, two) = (bytes, other.bytes)
      guard one.count == two.count else { return false }
      guard let start = one.baseAddress, let otherStart = two.baseAddress else { return true }
      return memcmp(start, otherStart, one.count) == 0
    }
  }

  /// The fingerprint of the value. Identical values have the same fingerprint.
  var fingerprint: UInt64 {
    switch type {
    case SQLITE_INTEGER: Fingerprint.of(int64)
    case SQLITE_FLOAT: Fingerprint.of(double)
    case SQLITE_TEXT: Fingerprint.of(text: bytes)
    case SQLITE_BLOB: Fingerprint.of(blob: bytes)
    default: Fingerprint.ofNull
    }
  }

  /// Returns the identity of a row and the fingerprints of its values. The
  /// statement must select the identity first.
  static func fingerprints(_ statement: OpaquePointer) -> (rowID: Int64, values: [UInt64]) {
    let count = Int(sqlite3_column_count(statement)) - 1
    let values = [UInt64](unsafeUninitializedCapacity: count) { values, initializedCount in
      for column in 0..<count {
        values[column] = SQLiteValue(statement, Int32(column + 1)).fingerprint
      }
      initializedCount = count
    }
    return (sqlite3_column_int64(statement, 0), values)
  }
}
