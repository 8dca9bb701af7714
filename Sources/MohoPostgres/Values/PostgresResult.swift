import CPostgres
import Foundation
import MohoMapping
import MohoRows

/// The rows that a statement has returned.
struct PostgresResult {
  let storage: Storage

  /// Owns a result of libpq.
  // SAFETY: A result does not change after libpq has returned it, and it does
  // not use its connection. A notice about it only sets a flag.
  final class Storage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The receiver of the notices about the result.
    private let notices: Announcement

    init(_ pointer: OpaquePointer, notices: Announcement) {
      (self.pointer, self.notices) = (pointer, notices)
    }

    deinit { PQclear(pointer) }
  }

  init(_ storage: Storage) { self.storage = storage }

  var rowCount: Int { Int(PQntuples(storage.pointer)) }

  var columnCount: Int { Int(PQnfields(storage.pointer)) }

  /// The number of rows that the statement inserted, updated, deleted or
  /// selected.
  var affectedRows: Int {
    guard let text = PQcmdTuples(storage.pointer) else { return 0 }
    return Int(String(cString: text)) ?? 0
  }

  /// The command that the server has executed, such as `COMMIT`, with the number of its rows.
  var command: String { PQcmdStatus(storage.pointer).map { String(cString: $0) } ?? "" }

  /// The index must be less than ``rowCount``.
  subscript(row: Int) -> PostgresRow { PostgresRow(storage, Int32(row)) }

  var rows: LazyMapSequence<Range<Int>, PostgresRow> {
    (0..<rowCount).lazy.map { self[$0] }
  }

  var first: PostgresRow? { rowCount > 0 ? self[0] : nil }

  /// The type of a column. Nulls without a type and names are texts.
  func type(ofColumn column: Int) -> PostgresType {
    let column = Int32(column)
    return PostgresType(
      oid: PQftype(storage.pointer, column), modifier: PQfmod(storage.pointer, column)) ?? .text
  }
}

/// A row of a result. Values have the form in which the server sent them.
struct PostgresRow: PostgresValues {
  private let storage: PostgresResult.Storage
  private let row: Int32

  fileprivate init(_ storage: PostgresResult.Storage, _ row: Int32) {
    self.storage = storage
    self.row = row
  }

  @inline(__always)
  func isNull(_ column: Int) -> Bool { PQgetisnull(storage.pointer, row, Int32(column)) != 0 }

  // SAFETY: The bytes are valid while the result exists.
  @inline(__always)
  func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = PQgetvalue(storage.pointer, row, Int32(column))
    let count = PQgetlength(storage.pointer, row, Int32(column))
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}

/// A row of a result that the user of the row retains. Reading a value does not
/// retain the result, which would take more time than reading the value.
// SAFETY: The user retains the result as long as it uses the row.
struct BorrowedPostgresRow: PostgresValues {
  private let pointer: OpaquePointer
  private let row: Int32

  init(of result: PostgresResult, _ row: Int) {
    pointer = result.storage.pointer
    self.row = Int32(row)
  }

  @inline(__always)
  func isNull(_ column: Int) -> Bool { PQgetisnull(pointer, row, Int32(column)) != 0 }

  // SAFETY: The bytes are valid while the result exists.
  @inline(__always)
  func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = PQgetvalue(pointer, row, Int32(column))
    let count = PQgetlength(pointer, row, Int32(column))
    return try body(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }
}
