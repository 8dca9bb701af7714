import MohoRows

extension StoreError {
  /// Creates the error of a failed connection attempt.
  init(connecting message: String, _ address: PostgresAddress) {
    let message = address.redacted(message.trimmed)
    let suggestion: String
    if message.contains("password authentication failed")
      || message.contains("no password supplied")
    {
      suggestion = "check the user and the password"
    } else if message.contains("does not exist") && message.contains("database") {
      suggestion = "create the database, or check its name"
    } else if message.contains("too many") || message.contains("connection slots") {
      suggestion = "increase `max_connections` of the server, or use fewer connections"
    } else if message.contains("role") && message.contains("does not exist") {
      suggestion = "create the user, or check its name"
    } else if message.contains("pg_hba.conf") {
      suggestion = "allow the connection in the server's pg_hba.conf"
    } else if message.contains("translate host name") {
      suggestion = "check the name of the host"
    } else if message.contains("read-only") || message.contains("not in hot standby mode")
      || message.contains("session is not")
    {
      suggestion = "check `target_session_attrs` and the hosts"
    } else {
      suggestion = "check the address, and that the server is running"
    }
    self.init(
      .cannotConnect, subject: address.description,
      reason: message.split { $0.isWhitespace }.joined(separator: " "),
      suggestion: suggestion)
  }
}

extension PostgresError {
  /// Whether the server closes the connection with this error.
  var endsConnection: Bool {
    guard let sqlState else { return false }
    return sqlState.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(sqlState)
  }
}

extension StoreError {
  /// Whether the server refuses connections because it is starting or stopping.
  var isServerStarting: Bool {
    ["starting up", "shutting down", "not yet accepting", "in recovery mode"]
      .contains { reason.contains($0) }
  }

  /// Whether connecting again cannot help.
  var isPermanent: Bool {
    code == .cannotConnect
      && ["authentication failed", "no password supplied", "pg_hba.conf"]
        .contains { reason.contains($0) }
  }
}
