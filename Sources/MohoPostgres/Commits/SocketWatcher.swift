import Dispatch
import Foundation

/// Calls a closure when the server has sent data to a connection, or has closed it.
final class SocketWatcher {
  private var source: (any DispatchSourceRead)?
  private var connection: PostgresConnection?

  deinit { stop() }

  /// Whether the socket of a connection is watched.
  var isWatching: Bool { source != nil }

  func watches(_ connection: PostgresConnection) -> Bool { self.connection === connection }

  /// Watches a connection instead of the current one.
  func watch(
    _ connection: PostgresConnection, on queue: DispatchQueue, _ onData: @escaping () -> Void
  ) {
    stop()
    // A descriptor must remain open until the source no longer uses it, but libpq
    // closes its own as soon as the connection is lost.
    let descriptor = fcntl(connection.socket, F_DUPFD_CLOEXEC, 0)
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: onData)
    source.setCancelHandler { close(descriptor) }
    source.resume()
    self.source = source
    self.connection = connection
  }

  func stop() {
    source?.cancel()
    source = nil
    connection = nil
  }
}
