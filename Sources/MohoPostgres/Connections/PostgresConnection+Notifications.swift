import CPostgres
import Foundation

extension PostgresConnection {
  /// Reads what the server has sent since the last statement, without waiting.
  ///
  /// - Throws: A `StoreError` if the connection was lost.
  func receive() throws {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    // The end of the connection may follow the last bytes, and a dispatch source does
    // not report it again.
    repeat {
      guard PQconsumeInput(handle) == 1 else { throw failure(nil, sql: nil) }
    } while poll(&descriptor, 1, 0) > 0
  }

  /// Removes the received notifications, while no statement runs.
  ///
  /// - Returns: Whether there were any, or whether some may have been lost with the connection.
  func takeNotifications() -> Bool {
    var hasNotifications = false
    // SAFETY: libpq allocates each notification, and the caller frees it.
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      hasNotifications = true
    }
    // libpq has stored the error of a message that it cannot read.
    if PQtransactionStatus(handle) == PQTRANS_ACTIVE { refuseAnswers() }
    return hasNotifications || isLost
  }
}
