import MohoRows

extension StoreError {
  /// Creates the error of a failed connection attempt.
  ///
  /// - Parameters:
  ///   - message: The message of libpq or the server.
  ///   - state: The SQLSTATE, if the server has refused the connection.
  init(connecting message: String, _ state: String?, _ address: PostgresAddress) {
    let message = address.redacted(message).replacing("FATAL:  ", with: "").withoutHints
      .withoutInvalidValue
    let (code, suggestion) =
      state.flatMap { Self.refusal($0, message) } ?? Self.failure(message)
    self.init(
      code, subject: address.description, reason: message, suggestion: suggestion,
      underlying: PostgresError(message, sqlState: state))
  }

  /// The meaning of an error with which the server refuses a connection.
  private static func refusal(_ state: String, _ message: String) -> (Code, String)? {
    switch state {
    case "28P01": (.accessDenied, "check the user and the password")
    case "28000" where message.hasSuffix("no encryption") || message.hasSuffix("SSL off"):
      (.accessDenied, "add `sslmode=require` to the URL, because the server requires TLS")
    case "28000" where message.contains("pg_hba.conf"):
      (.accessDenied, "allow the connection in the server's pg_hba.conf")
    case "28000": (.accessDenied, "create the user, or check its name")
    case "42501": (.accessDenied, "grant the user the right CONNECT on the database")
    case "3D000": (.storeNotFound, "create the database, or check its name")
    case "53300":
      (.cannotConnect, "increase `max_connections` of the server, or use fewer connections")
    case "57P03": (.cannotConnect, "try again when the server has started")
    case "22023", "42704", "42602":
      (.invalidConnectionString, "check the settings in the parameter `options`")
    default: nil
    }
  }

  /// The meaning of an error of libpq.
  private static func failure(_ message: String) -> (Code, String) {
    func has(_ texts: String...) -> Bool { texts.contains { message.contains($0) } }
    if has("no password supplied") {
      return (.accessDenied, "pass the password in ~/.pgpass, PGPASSWORD or the URL")
    }
    if has("authentication method requirement", "authentication failed") {
      return (.accessDenied, "check the user and the password, and the server's pg_hba.conf")
    }
    if has("does not support SSL") {
      return (.cannotConnect, "enable `ssl` on the server, or set `sslmode` to `prefer`")
    }
    if has("does not match host name", "certificate verify failed", "root certificate") {
      return (
        .cannotConnect,
        "check the name of the host, and that `sslrootcert` is the file of the authority that has"
          + " signed the server's certificate"
      )
    }
    if has("invalid sslmode", "invalid channel_binding", "invalid target_session_attrs") {
      return (.invalidConnectionString, "check the values of the parameters")
    }
    if has("invalid integer value", "could not match") {
      return (.invalidConnectionString, "check the values of the parameters")
    }
    if has("translate host name") { return (.cannotConnect, "check the name of the host") }
    if has("read-only", "not in hot standby mode", "session is not") {
      return (.cannotConnect, "check `target_session_attrs` and the hosts")
    }
    if has("timeout expired") {
      return (.cannotConnect, "check the address and the firewall, or increase `connect_timeout`")
    }
    return (.cannotConnect, "check the address, and that the server is running")
  }
}

extension StoreError {
  /// Whether the server refuses connections because it is starting or stopping.
  var isServerStarting: Bool {
    code == .cannotConnect && (underlying as? PostgresError)?.sqlState == "57P03"
  }
}

extension String {
  /// A message of libpq about an invalid value of a parameter without the value, which can be
  /// a password in the wrong parameter.
  fileprivate var withoutInvalidValue: String {
    replacing(/(invalid [^"]*(?:value|number):? )".*?"(?= for connection option|$)/) {
      "\($0.1)\"…\""
    }
  }
}
