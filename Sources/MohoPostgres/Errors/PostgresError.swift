import CPostgres
import MohoRows

/// An error of a PostgreSQL server or of the connection to it.
public struct PostgresError: Error, Sendable {
  /// The SQLSTATE of the error, such as `23505`, or nil if the error does not
  /// come from the server.
  public var sqlState: String?
  /// Whether the server ends the connection with this error.
  var isFatal = false
  /// The message of the server.
  public var message: String
  /// More information about the error.
  public var detail: String?
  /// The server's suggestion.
  public var hint: String?
  /// The name of the schema that contains the table.
  public var schema: String?
  /// The table of the error.
  public var table: String?
  /// The column of the error.
  public var column: String?
  /// The constraint that failed.
  public var constraint: String?
  /// The SQL functions and statements that were running.
  public var context: String?
  /// The statement that failed.
  public var sql: String?
  /// A Boolean value indicating whether the connection was lost.
  public var isConnectionLost = false

  init(_ message: String, sqlState: String? = nil) {
    self.message = sqlState == nil ? message.withoutHints : message
    self.sqlState = sqlState
  }
}

extension PostgresError: CustomStringConvertible {
  /// The message, and the SQLSTATE in parentheses.
  public var description: String { message + (sqlState.map { " (SQLSTATE \($0))" } ?? "") }
}

extension PostgresError {
  // SAFETY: `result` is a result that has not been cleared.
  init(result: OpaquePointer, sql: String?) {
    func field(_ code: Int32) -> String? {
      PQresultErrorField(result, code).map { String(cString: $0) }
    }
    // The constants of libpq's `postgres_ext.h`, which are characters.
    func field(_ code: Character) -> String? { field(Int32(code.asciiValue ?? 0)) }
    self.init(
      field("M") ?? String(cString: PQresultErrorMessage(result)),
      sqlState: field("C"))
    detail = field("D")
    hint = field("H")
    schema = field("s")
    table = field("t")
    column = field("c")
    constraint = field("n")
    context = field("W")
    // In English, unlike the severity `S`.
    isFatal = ["FATAL", "PANIC"].contains(field("V"))
    self.sql = sql
  }

  /// Whether running the transaction again may succeed, because it conflicted
  /// with other transactions.
  var isRetryable: Bool { sqlState == "40001" || sqlState == "40P01" }

  /// Whether a lock was not available.
  var isLocked: Bool { sqlState == "55P03" }

  /// Whether a table does not exist.
  var isMissingTable: Bool { sqlState == "42P01" }

  /// Whether a table or a column does not exist.
  var isMissingTableOrColumn: Bool { isMissingTable || sqlState == "42703" }

  /// Whether a prepared statement must be prepared again, because the tables
  /// have changed or the server has forgotten it.
  var isOutdatedStatement: Bool {
    sqlState == "26000" || sqlState == "0A000" && message.contains("cached plan")
  }
}

extension String {
  /// The lines of a message of libpq on one line, without the indented lines, which
  /// guess the cause.
  var withoutHints: String {
    var lines: [String] = []
    for line in split(separator: "\n") where line.first?.isWhitespace == false {
      let line = String(line).trimmed
      if lines.last != line { lines.append(line) }
    }
    return lines.joined(separator: "; ")
  }

  /// The text without spaces and line breaks at both ends.
  var trimmed: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
    return String(text)
  }
}

extension Error {
  /// The error of the server or of libpq that has caused a `StoreError`.
  var postgresError: PostgresError? { (self as? StoreError)?.underlying as? PostgresError }

  /// Whether a lock was not available.
  var isLocked: Bool { postgresError?.isLocked ?? false }
}
