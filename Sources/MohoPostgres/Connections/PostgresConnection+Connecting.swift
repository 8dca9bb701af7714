import CPostgres
import Foundation
import MohoRows

extension PostgresConnection {
  /// Connects to the first host that accepts the connection.
  static func connect(_ address: PostgresAddress) throws -> OpaquePointer {
    // Options of the URL replace those before it. Without these, a statement would
    // wait for hours for a server that is gone.
    let pairs = [
      ("fallback_application_name", "moho"), ("connect_timeout", "10"),
      ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "60000"), ("dbname", address.text), ("client_encoding", "UTF8"),
    ]
    let start = ContinuousClock.now
    guard let handle = open(pairs) else {
      throw StoreError(.cannotConnect, reason: "there is not enough memory")
    }
    if PQstatus(handle) == CONNECTION_OK { return handle }
    let message = String(cString: PQerrorMessage(handle))
    var state: String?
    // The message may be in any language. A second attempt gives the SQLSTATE.
    if ContinuousClock.now - start < .seconds(1) {
      PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
      PQreset(handle)
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
      if PQstatus(handle) == CONNECTION_OK { return handle }
      state = String(cString: PQerrorMessage(handle)).finalState
    }
    defer { PQfinish(handle) }
    try PostgresAddress.checkParameters(of: handle)
    throw StoreError(connecting: message, state, address)
  }

  // SAFETY: libpq copies the texts before the call returns.
  private static func open(_ pairs: [(String, String)]) -> OpaquePointer? {
    let keywords = pairs.map { strdup($0.0) } + [nil]
    let values = pairs.map { strdup($0.1) } + [nil]
    defer { for text in keywords + values { free(text) } }
    return PQconnectdbParams(
      keywords.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
  }
}

extension String {
  /// The SQLSTATE at the end of a message such as `… failed: FATAL:  28P01`.
  fileprivate var finalState: String? {
    guard let word = trimmed.split(whereSeparator: \.isWhitespace).last, word.utf8.count == 5,
      word.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
    else { return nil }
    return String(word)
  }
}
