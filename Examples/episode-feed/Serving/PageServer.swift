import CommandSupport
import EpisodeFeed
import FlyingSocks
import Foundation

/// Serves the page to browsers on this machine.
struct PageServer {
  /// The first port that is tried if the user does not choose one.
  static let defaultPort: UInt16 = 8080

  private let tasks: [Task<Void, Never>]
  /// The port of the server.
  let port: UInt16

  /// The address of the page.
  var url: String { "http://localhost\(port == 80 ? "" : ":\(port)")/" }

  /// The time that a client has to send the next part of a request.
  private static let requestTimeout = Duration.seconds(30)
  /// The time after which the server tries again when accepting a connection has
  /// failed.
  private static let restartTime = Duration.seconds(1)

  /// Starts to listen.
  ///
  /// - Parameter port: The port; 0 for any free port; nil for the first free
  ///   port from ``defaultPort``.
  /// - Throws: ``Failure`` if the port cannot be used.
  init(_ service: EpisodeService, port: UInt16?) async throws {
    let attempts: [UInt16] =
      switch port {
      case 0: try (0..<5).map { _ in try Self.freePort() }
      case let port?: [port]
      case nil: Array(Self.defaultPort..<Self.defaultPort + 20)
      }
    for attempt in attempts {
      if let tasks = try Self.listen(service, attempt) {
        self.tasks = tasks
        self.port = attempt
        return
      }
    }
    let range = attempts.count == 1 ? "port \(attempts[0]) is" : "the ports from \(attempts[0]) are"
    throw Failure(
      .cannotCreate, "\(range) used by another program",
      advice: "End the other program, or choose another port with --port.")
  }

  /// Closes all connections. Returns immediately.
  func stop() { for task in tasks { task.cancel() } }

  /// Listens at the addresses of this machine.
  ///
  /// - Returns: Nil if the port is in use.
  private static func listen(
    _ service: EpisodeService, _ port: UInt16
  ) throws -> [Task<Void, Never>]? {
    let handler = PageHandler(service: service, safety: PageSafety(port: port))
    var tasks: [Task<Void, Never>] = []
    do {
      tasks.append(try listen(.inet(ip4: "127.0.0.1", port: port), handler))
      do {
        // Otherwise, another program could receive the requests for `localhost`.
        tasks.append(try listen(.inet6(ip6: "::1", port: port), handler))
      } catch let error as SocketError where !error.has(EADDRINUSE) {
        // The machine does not have IPv6.
      }
      return tasks
    } catch let error as SocketError {
      for task in tasks { task.cancel() }
      if error.has(EADDRINUSE) { return nil }
      let isPrivileged = error.has(EACCES)
      throw Failure(
        .cannotCreate,
        "port \(port) cannot be used: " + (isPrivileged ? "permission denied" : error.reason),
        advice: "Choose a port from 1024 with --port.")
    }
  }

  private static func listen(
    _ address: some SocketAddress, _ handler: PageHandler
  ) throws -> Task<Void, Never> {
    let first = try socket(address)
    return Task {
      var socket: Socket? = first
      while !Task.isCancelled {
        if let socket { try? await serve(socket, handler) }
        try? await Task.sleep(for: restartTime)
        socket = try? Self.socket(address)
      }
    }
  }

  private static func socket(_ address: some SocketAddress) throws -> Socket {
    let socket = try Socket(domain: Int32(type(of: address).family))
    do {
      try socket.setValue(true, for: .localAddressReuse)
      #if canImport(Darwin)
        try socket.setValue(true, for: .noSIGPIPE)
      #endif
      try socket.bind(to: address)
      try socket.listen()
      return socket
    } catch {
      try? socket.close()
      throw error
    }
  }

  /// Accepts connections until an error of the pool.
  private static func serve(_ socket: Socket, _ handler: PageHandler) async throws {
    defer { try? socket.close() }
    let pool = ConnectionPool(base: SocketPool.make(), timeout: requestTimeout)
    try await pool.prepare()
    let listener = try AsyncSocket(socket: socket, pool: pool)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await pool.run() }
      group.addTask { await accept(listener, handler) }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  private static func accept(_ listener: AsyncSocket, _ handler: PageHandler) async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        do {
          let socket = try await listener.accept()
          group.addTask { await PageConnection(socket: socket, handler: handler).run() }
        } catch {
          // For example, too many files are open.
          try? await Task.sleep(for: restartTime)
        }
      }
    }
  }

  private static func freePort() throws -> UInt16 {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    try socket.bind(to: .inet(ip4: "127.0.0.1", port: 0))
    guard case .ip4(_, let port) = try socket.sockname() else { return defaultPort }
    return port
  }

  /// Allows as many open connections as the system does.
  static func raiseConnectionLimit() {
    var limit = rlimit()
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
      let maximum = rlim_t(OPEN_MAX)
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      let maximum: rlim_t = 1 << 16
    #endif
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, maximum) else {
      return
    }
    limit.rlim_cur = min(limit.rlim_max, maximum)
    _ = setrlimit(files, &limit)
  }
}

extension SocketError {
  fileprivate func has(_ number: Int32) -> Bool {
    if case .failed(_, let errno, _) = self { errno == number } else { false }
  }

  fileprivate var reason: String {
    if case .failed(_, _, let message) = self { message } else { localizedDescription }
  }
}
