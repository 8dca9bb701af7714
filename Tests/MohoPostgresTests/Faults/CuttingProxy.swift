import Foundation
import Synchronization

/// Forwards the connections of a client to a server on Unix sockets, and cuts a
/// connection at a message of the client.
final class CuttingProxy: Sendable {
  /// The moment at which a connection is cut.
  enum Cut: CaseIterable {
    /// The message does not reach the server.
    case beforeForwarding
    /// The message reaches the server, whose answer does not reach the client.
    case beforeAnswering
  }

  private struct State {
    var cut: Cut?
    /// The number of messages that pass before the cut.
    var remaining = 0
    var hasCut = false
    var hasReceivedCommit = false
    var hasForwardedCommit = false
    var roundTripCount = 0
  }

  private let state = Mutex(State())
  private let serverPath: String
  private let listener: Int32
  private let folder: String

  /// - Parameter folder: The folder of the socket of the server.
  init(server folder: String) throws {
    self.folder = "/tmp/moho-proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: self.folder, withIntermediateDirectories: false)
    serverPath = folder + "/.s.PGSQL.5432"
    listener = socket(AF_UNIX, stream, 0)
    let isBound = Self.withAddress(self.folder + "/.s.PGSQL.5432") { bind(listener, $0, $1) } == 0
    guard isBound, listen(listener, 16) == 0 else { throw CocoaError(.fileWriteUnknown) }
    Thread { [listener, weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
    }.start()
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns the URL of the server with the socket of the proxy.
  func url(_ url: String) -> String {
    url.replacing(serverPath.dropLast("/.s.PGSQL.5432".count), with: folder)
  }

  /// Cuts the connection that sends a number of messages from now on.
  func cut(_ cut: Cut, after count: Int) {
    state.withLock { $0 = State(cut: cut, remaining: count) }
  }

  /// Ends the effect of ``cut(_:after:)``.
  ///
  /// - Returns: Whether a connection was cut, and whether the proxy had received the
  ///   message that commits, and had forwarded it.
  func finish() -> (hasCut: Bool, hasReceivedCommit: Bool, hasForwardedCommit: Bool) {
    state.withLock { state in
      defer { state = State() }
      return (state.hasCut, state.hasReceivedCommit, state.hasForwardedCommit)
    }
  }

  /// Returns the number of times that clients have waited for the server since the last call.
  func takeRoundTripCount() -> Int {
    state.withLock { state in
      defer { state.roundTripCount = 0 }
      return state.roundTripCount
    }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    // SAFETY: A socket address of this family begins like any socket address.
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_UNIX, stream, 0)
    guard Self.withAddress(serverPath, { connect(server, $0, $1) }) == 0 else {
      close(client)
      close(server)
      return
    }
    let isAnswerCut = Mutex(false)
    let pipe = ProxiedPipe(client, server)
    Thread { [self] in
      var messages = ClientMessages()
      while let bytes = pipe.read(client) {
        var forwarded: [UInt8] = []
        let isCut = state.withLock { state in
          var isCut = false
          for message in messages.add(bytes) {
            if message.isCommit { state.hasReceivedCommit = true }
            if message.awaitsAnswer { state.roundTripCount += 1 }
            if let cut = state.cut {
              if state.remaining == 0 {
                (state.cut, state.hasCut) = (nil, true)
                if cut == .beforeForwarding { isCut = true }
                isAnswerCut.withLock { $0 = true }
              }
              state.remaining -= 1
            }
            if isCut { continue }
            if message.isCommit { state.hasForwardedCommit = true }
            forwarded += message.bytes
          }
          return isCut
        }
        guard pipe.write(forwarded, to: server), !isCut else { break }
      }
      pipe.end()
    }.start()
    Thread {
      while let bytes = pipe.read(server) {
        guard !isAnswerCut.withLock({ $0 }), pipe.write(bytes[...], to: client) else { break }
      }
      pipe.end()
    }.start()
  }
}

/// Two connected sockets, which are closed when nobody uses them any more.
private final class ProxiedPipe: Sendable {
  private let client: Int32
  private let server: Int32

  init(_ client: Int32, _ server: Int32) {
    (self.client, self.server) = (client, server)
  }

  deinit {
    close(client)
    close(server)
  }

  func read(_ socket: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  func write(_ bytes: some Sequence<UInt8>, to socket: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket, $0.baseAddress, $0.count, withoutSignal)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  func end() {
    shutdown(client, Int32(SHUT_RDWR))
    shutdown(server, Int32(SHUT_RDWR))
  }
}

/// Splits the bytes of a client into messages of the PostgreSQL protocol.
private struct ClientMessages {
  struct Message {
    let bytes: ArraySlice<UInt8>
    /// Whether the server commits when it receives this message.
    let isCommit: Bool
    /// Whether the client waits for the answer to this message.
    let awaitsAnswer: Bool
  }

  private var buffer: [UInt8] = []
  private var hasStarted = false
  private var commits: Set<String> = []
  private var isCommitBound = false

  mutating func add(_ bytes: [UInt8]) -> [Message] {
    buffer += bytes
    var messages: [Message] = []
    while let message = next() { messages.append(message) }
    return messages
  }

  /// The first message has no type. After the type, each message has its length.
  private mutating func next() -> Message? {
    let start = hasStarted ? 1 : 0
    guard buffer.count >= start + 4 else { return nil }
    let length = buffer[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + start
    guard buffer.count >= length else { return nil }
    defer { buffer.removeFirst(length) }
    let type = UnicodeScalar(buffer[0])
    let isCommit = hasStarted && isCommit(type, buffer[5..<length])
    // The end of a pipeline, or a text with statements.
    let awaitsAnswer = hasStarted && (type == "S" || type == "Q")
    hasStarted = true
    return Message(bytes: buffer[..<length], isCommit: isCommit, awaitsAnswer: awaitsAnswer)
  }

  private mutating func isCommit(_ type: UnicodeScalar, _ body: ArraySlice<UInt8>) -> Bool {
    let texts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    switch type {
    case "Q": return texts[0] == "COMMIT"
    case "P":
      if texts[1] == "COMMIT" { commits.insert(texts[0]) } else { commits.remove(texts[0]) }
    case "B": isCommitBound = commits.contains(texts[1])
    case "E": return isCommitBound
    default: break
    }
    return false
  }
}

#if canImport(Darwin)
  let stream = SOCK_STREAM
  private let withoutSignal: Int32 = 0
#else
  let stream = Int32(SOCK_STREAM.rawValue)
  private let withoutSignal = Int32(MSG_NOSIGNAL)
#endif
