import CPostgres
import Foundation
import MohoMapping
import MohoRows

/// The rows of a `COPY` in binary form.
struct PostgresCopy {
  private let columnCount: Int16
  private let send: (PostgresBuffer) throws -> Void
  private var buffer = PostgresBuffer()

  fileprivate init(columnCount: Int, _ send: @escaping (PostgresBuffer) throws -> Void) {
    self.columnCount = Int16(clamping: columnCount)
    self.send = send
    // The signature, no flags and no header extension.
    let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    signature.withUnsafeBytes { buffer.append(bytes: $0) }
    buffer.append(0 as Int64)
  }

  /// Appends a row. The closure must append a field for each column.
  mutating func append(_ fields: (inout PostgresBuffer) throws -> Void) throws {
    buffer.append(columnCount)
    try fields(&buffer)
    if buffer.count >= 65_536 { try flush() }
  }

  fileprivate mutating func finish() throws {
    buffer.append(-1 as Int16)
    try flush()
  }

  private mutating func flush() throws {
    try send(buffer)
    buffer.removeAll()
  }
}

extension PostgresConnection {
  /// Inserts rows into a table without a statement for each row.
  ///
  /// If the server refuses the rows, for example because one violates a
  /// constraint, the transaction is in the state before the call and can go on.
  ///
  /// - Parameters:
  ///   - sql: A statement `COPY … FROM STDIN (FORMAT binary)`.
  ///   - columnCount: The number of columns of the rows.
  func copy(
    _ sql: String, columnCount: Int, _ rows: (inout PostgresCopy) throws -> Void
  ) throws {
    onStatement?(sql)
    try checkCancellation()
    try executeDeferred()
    // The savepoint needs no round trips of its own.
    let sql = "SAVEPOINT _moho_copy; \(sql); RELEASE _moho_copy"
    let start = ContinuousClock.now
    defer { writeLog(of: PostgresQuery(sql), since: start) }
    do {
      try send(sql, columnCount: columnCount, rows)
    } catch {
      // If the connection was lost, the original error says so.
      try? executeUncanceled("ROLLBACK TO _moho_copy; RELEASE _moho_copy")
      throw error
    }
  }

  private func send(
    _ sql: String, columnCount: Int, _ rows: (inout PostgresCopy) throws -> Void
  ) throws {
    _ = try checked(result(.copy) { PQsendQuery(handle, sql) }, sql)
    do {
      var copy = PostgresCopy(columnCount: columnCount) { try self.send($0) }
      try rows(&copy)
      try copy.finish()
      try checkCancellation()
    } catch {
      _ = PQputCopyEnd(handle, "the client has stopped")
      let failure = copyFailure(sql)
      if case .server(let error)? = failure { throw error }
      throw error
    }
    guard PQputCopyEnd(handle, nil) == 1 else { throw failure(nil, sql: sql) }
    // The results of the copy and of the release.
    while let pointer = nextResult() { _ = try checked(pointer, sql) }
    if isLost { throw failure(nil, sql: sql) }
  }

  private func send(_ buffer: PostgresBuffer) throws {
    try checkCancellation()
    let code = buffer.bytes.withUnsafeBytes { bytes in
      PQputCopyData(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
    }
    guard code == 1 else { throw failure(nil, sql: nil) }
  }

  private enum CopyFailure {
    case client
    case server(any Error)
  }

  /// Reads the end of a `COPY` that the client has stopped.
  private func copyFailure(_ sql: String) -> CopyFailure? {
    var failure: CopyFailure?
    while let pointer = nextResult() {
      // The server reports the stop of the client as an interrupted query.
      let error = self.failure(pointer, sql: sql)
      let state = error.postgresError?.sqlState
      failure = state == "57014" || error is CancellationError ? .client : .server(error)
      PQclear(pointer)
    }
    return failure
  }
}
