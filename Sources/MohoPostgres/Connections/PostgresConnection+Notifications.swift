import CPostgres

extension PostgresConnection {
  /// Reads what the server has sent since the last statement, without waiting.
  ///
  /// - Throws: A `StoreError` if the connection was lost.
  func receive() throws {
    guard PQconsumeInput(handle) == 1 else { throw failure(nil, sql: nil) }
  }

  /// Removes the received notifications.
  ///
  /// - Returns: Whether there were any.
  func takeNotifications() -> Bool {
    var hasNotifications = false
    // SAFETY: libpq allocates each notification, and the caller frees it.
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      hasNotifications = true
    }
    return hasNotifications
  }
}
