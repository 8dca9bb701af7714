import Foundation
import GRDBSQLite
import MohoMapping

/// Reads the columns of the row that a statement stands on.
///
/// Column positions are the positions of the mapping's keys, which the select
/// list of ``RequestSQL`` provides for.
// SAFETY: `statement` must outlive the decoder and stand on a row while fields
// are read. Both are seen to in `RowReader`, the only place that makes one.
final class RowFieldDecoder: FieldDecoder {
  private let statement: OpaquePointer
  private let entity: Entity
  private let keys: [MappingKey]

  init(statement: OpaquePointer, entity: Entity, keys: [MappingKey]) {
    self.statement = statement
    self.entity = entity
    self.keys = keys
  }

  private func type(at index: Int) -> Int32 { sqlite3_column_type(statement, Int32(index)) }

  private func mismatch(at index: Int, expected: String) -> MappingError {
    let code: MappingError.Code = type(at: index) == SQLITE_NULL ? .unexpectedNull : .invalidType
    return error(code, at: index, expected: expected)
  }

  /// Columns are never absent.
  func isAbsent(at index: Int) -> Bool { false }

  func isNull(at index: Int) -> Bool { type(at: index) == SQLITE_NULL }

  func bool(at index: Int) throws -> Bool {
    switch try int64(at: index) {
    case 0: false
    case 1: true
    default: throw error(.invalidValue, at: index, expected: "0 or 1")
    }
  }

  func int64(at index: Int) throws -> Int64 {
    guard type(at: index) == SQLITE_INTEGER else {
      throw mismatch(at: index, expected: "integer")
    }
    return sqlite3_column_int64(statement, Int32(index))
  }

  func uint64(at index: Int) throws -> UInt64 {
    guard let value = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "integer from 0")
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    guard type(at: index) == SQLITE_FLOAT else { throw mismatch(at: index, expected: "number") }
    return sqlite3_column_double(statement, Int32(index))
  }

  func decimal(at index: Int) throws -> Decimal {
    let text = try string(at: index)
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }

  func string(at index: Int) throws -> String {
    guard type(at: index) == SQLITE_TEXT else { throw mismatch(at: index, expected: "text") }
    guard let text = text(at: index).validatedText else {
      throw error(.invalidValue, at: index, expected: "UTF-8 text", found: "other bytes")
    }
    return text
  }

  func data(at index: Int) throws -> Data {
    guard type(at: index) == SQLITE_BLOB else { throw mismatch(at: index, expected: "bytes") }
    return Data(blob(at: index))
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    guard type(at: index) == SQLITE_FLOAT else { throw mismatch(at: index, expected: "date") }
    return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, Int32(index)))
  }

  func field(at index: Int) -> FieldDescription {
    let identity = sqlite3_column_int64(statement, Int32(keys.count))
    return FieldDescription(
      path: FieldPath([.key(entity.name), .key("\(identity)"), .key(keys[index].name)]),
      found: found(at: index))
  }

  private func found(at index: Int) -> String {
    switch type(at: index) {
    case SQLITE_NULL: "null"
    case SQLITE_INTEGER: "integer \(sqlite3_column_int64(statement, Int32(index)))"
    case SQLITE_FLOAT: "number \(sqlite3_column_double(statement, Int32(index)))"
    case SQLITE_TEXT: "text " + MohoMapping.quoted(String(decoding: text(at: index), as: UTF8.self))
    default: "\(blob(at: index).count) bytes"
    }
  }

  // SAFETY: SQLite documents that `sqlite3_column_text` and
  // `sqlite3_column_blob` point to `sqlite3_column_bytes` bytes, which stay
  // until the next step or conversion; null stands for no bytes. Nobody keeps
  // the buffers.

  private func text(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, Int32(index))
    return UnsafeBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(statement, Int32(index))))
  }

  private func blob(at index: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_blob(statement, Int32(index))
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self),
      count: Int(sqlite3_column_bytes(statement, Int32(index))))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The text that the bytes spell in UTF-8, or nil where they spell none.
  fileprivate var validatedText: String? {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      guard let span = try? UTF8Span(validating: Span(_unsafeElements: self)) else { return nil }
      return String(copying: span)
    }
    return String(validating: self, as: UTF8.self)
  }
}
