import CPostgres

// SAFETY: The owner uses the connection on one thread at a time.
/// A connection that executes any SQL, as `psql` does.
public final class AdministratorConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  /// Connects to a server.
  public init(_ url: String) throws {
    guard let handle = PQconnectdb(url) else {
      throw PostgresServer.Failure(description: "there is not enough memory")
    }
    self.handle = handle
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    guard PQstatus(handle) == CONNECTION_OK else {
      throw PostgresServer.Failure(description: String(cString: PQerrorMessage(handle)))
    }
  }

  deinit { PQfinish(handle) }

  /// Whether the connection was lost.
  public var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

  /// Executes SQL and returns the texts of the rows of the last statement.
  @discardableResult
  public func execute(_ sql: String) throws -> [[String?]] {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
    default:
      throw PostgresServer.Failure(
        description: "\(sql): \(String(cString: PQerrorMessage(handle)))")
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) != 0
          ? nil : String(cString: PQgetvalue(result, row, column))
      }
    }
  }
}
