import FlyingSocks
import Foundation

/// Waits for sockets like FlyingFox's pool. Sends small packets immediately, and
/// ends connections that are silent while the server waits for a request.
struct ConnectionPool<Base: AsyncSocketPool>: AsyncSocketPool {
  let base: Base
  /// The time that a client has to send the next part of a request.
  let timeout: Duration

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    guard events.contains(.read), !isListening(socket) else {
      return try await base.suspendSocket(socket, untilReadyFor: events)
    }
    // Otherwise, the body of an answer waits until the client has acknowledged
    // the head.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
      group.addTask {
        try await Task.sleep(for: timeout)
        throw SocketError.disconnected
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private func isListening(_ socket: Socket) -> Bool {
    (try? socket.getValue(for: BoolSocketOption(name: SO_ACCEPTCONN))) ?? false
  }
}
