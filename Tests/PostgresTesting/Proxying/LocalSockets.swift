import Foundation

/// The address of a server or a proxy on this machine.
enum LocalAddress: Hashable, Sendable {
  case path(String)
  case port(Int)

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    // SAFETY: A socket address of either family begins like any socket address.
    func call<Address>(_ address: Address) -> Int32 {
      withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          body($0, socklen_t(MemoryLayout<Address>.size))
        }
      }
    }
    switch self {
    case .path(let path):
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      return call(address)
    case .port(let port):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      return call(address)
    }
  }

  /// Creates a socket whose messages are sent at once.
  func newSocket() -> Int32 {
    switch self {
    case .path: return socket(AF_UNIX, stream, 0)
    case .port:
      let descriptor = socket(AF_INET, stream, 0)
      Self.sendAtOnce(descriptor)
      return descriptor
    }
  }

  /// Binds a socket to an unused port.
  ///
  /// - Returns: The port.
  static func bindToUnusedPort(_ descriptor: Int32) throws -> Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: A socket address of this family begins like any socket address.
    let isBound =
      LocalAddress.port(0).withPointer { bind(descriptor, $0, $1) } == 0
      && withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &size) == 0
        }
      }
    guard isBound else { throw CocoaError(.featureUnsupported) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  static func sendAtOnce(_ descriptor: Int32) {
    var isEnabled: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isEnabled,
      socklen_t(MemoryLayout<Int32>.size))
  }
}

/// Two connected sockets, which are closed when they are no longer used.
final class ProxiedPipe: Sendable {
  private let client: Int32
  private let server: Int32

  init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

  deinit {
    close(client)
    close(server)
  }

  private func socket(_ peer: ProxyFault.Sender) -> Int32 { peer == .client ? client : server }

  func read(from peer: ProxyFault.Sender) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket(peer), &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  func write(_ bytes: ArraySlice<UInt8>, to peer: ProxyFault.Sender) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(socket(peer), $0.baseAddress, $0.count, withoutSignal)
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

#if canImport(Darwin)
  private let stream = SOCK_STREAM
  private let withoutSignal: Int32 = 0
#else
  private let stream = Int32(SOCK_STREAM.rawValue)
  private let withoutSignal = Int32(MSG_NOSIGNAL)
#endif
