import Foundation
import Synchronization

/// Forwards the connections of clients to a server, and damages a message.
///
/// The messages of all connections are counted, separately for clients and the server. If the
/// connection is encrypted, the records of TLS are the messages.
package final class FaultyProxy: Sendable {
  /// The connections whose messages are counted.
  package enum Scope: Sendable {
    case all
    /// Connections whose clients listen to notifications.
    case listening
    /// Connections whose clients do not listen to notifications.
    case other
  }

  /// What the proxy has forwarded since ``FaultyProxy/arm(_:on:)``.
  package struct Record: Sendable {
    package internal(set) var messageCounts: [ProxyFault.Sender: Int] = [:]
    /// The number of messages that were damaged.
    package internal(set) var faultCount = 0
    /// The first message that was damaged.
    package internal(set) var damaged: String?
    package internal(set) var hasReceivedCommit = false
    package internal(set) var hasForwardedCommit = false
    /// The number of times that clients have waited for the server.
    package internal(set) var roundTripCount = 0
  }

  private struct State {
    var fault: ProxyFault?
    var scope = Scope.all
    var record = Record()

    /// Counts a message.
    ///
    /// - Returns: The fault that damages the message.
    mutating func fault(
      of message: Conversation.Message, from sender: ProxyFault.Sender, isListening: Bool
    ) -> ProxyFault? {
      if message.isCommit { record.hasReceivedCommit = true }
      if message.awaitsAnswer { record.roundTripCount += 1 }
      guard scope == .all || isListening == (scope == .listening) else { return nil }
      let number = record.messageCounts[sender, default: 0] + 1
      record.messageCounts[sender] = number
      guard let fault, fault.sender == sender else { return nil }
      guard number == fault.number || fault.isPermanent && number > fault.number else {
        return nil
      }
      record.faultCount += 1
      record.damaged = record.damaged ?? "\(message.message)"
      return fault
    }
  }

  private let state = Mutex(State())
  private let serverAddress: LocalAddress
  private let address: LocalAddress
  private let listener: Int32
  /// The folder of the socket, or nil if the proxy has a port.
  private let folder: String?

  /// Creates a proxy of the socket of a server.
  package convenience init(_ server: PostgresServer) throws {
    let folder = "/tmp/moho-proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let name = "/.s.PGSQL.\(server.port)"
    let address = LocalAddress.path(folder + name)
    let listener = address.newSocket()
    guard address.withPointer({ bind(listener, $0, $1) }) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    try self.init(.path(server.folder + name), address, listener, folder: folder)
  }

  /// Creates a proxy of a port of this machine.
  package convenience init(port: Int) throws {
    let listener = LocalAddress.port(0).newSocket()
    let address = LocalAddress.port(try LocalAddress.bindToUnusedPort(listener))
    try self.init(.port(port), address, listener, folder: nil)
  }

  private init(
    _ serverAddress: LocalAddress, _ address: LocalAddress, _ listener: Int32, folder: String?
  ) throws {
    (self.serverAddress, self.address) = (serverAddress, address)
    (self.listener, self.folder) = (listener, folder)
    guard listen(listener, 16) == 0 else { throw CocoaError(.featureUnsupported) }
    Thread { [listener, weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Returns the URL of the server with the address of the proxy.
  package func url(_ url: String) -> String {
    switch (serverAddress, address) {
    case (.path(let server), .path(let proxy)):
      func folder(_ path: String) -> String { URL(filePath: path).deletingLastPathComponent().path }
      return url.replacing(folder(server), with: folder(proxy))
    case (.port(let server), .port(let proxy)):
      return url.replacing(":\(server)/", with: ":\(proxy)/")
    default: return url
    }
  }

  /// Counts messages from now on, and damages the one with the number of a fault.
  package func arm(_ fault: ProxyFault?, on scope: Scope = .all) {
    state.withLock { $0 = State(fault: fault, scope: scope) }
  }

  /// Ends the effect of ``arm(_:on:)``.
  @discardableResult
  package func disarm() -> Record {
    state.withLock { state in
      defer { state = State() }
      return state.record
    }
  }

  private func serve(_ client: Int32) {
    let server = serverAddress.newSocket()
    guard serverAddress.withPointer({ connect(server, $0, $1) }) == 0 else {
      close(client)
      close(server)
      return
    }
    if case .port = address { LocalAddress.sendAtOnce(client) }
    let connection = ProxiedConnection(
      ProxiedPipe(client, server),
      fault: { [weak self] message, sender, isListening in
        self?.state.withLock { $0.fault(of: message, from: sender, isListening: isListening) }
      },
      isArmed: { [weak self] in self?.state.withLock { $0.fault != nil } ?? false },
      onForwarding: { [weak self] message in
        if message.isCommit { self?.state.withLock { $0.record.hasForwardedCommit = true } }
      })
    for sender in ProxyFault.Sender.allCases { Thread { connection.forward(from: sender) }.start() }
  }
}
