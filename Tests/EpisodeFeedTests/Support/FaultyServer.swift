import Foundation
import Synchronization

/// An HTTP server on the loopback interface for tests of faults: each request
/// is answered with a script of raw bytes and pauses. A connection serves one
/// request.
final class FaultyServer: Sendable {
  /// A part of an answer.
  enum Step: Sendable {
    /// Sends bytes.
    case send(Data)
    /// Sends the same bytes again and again.
    case `repeat`(Data, Int)
    /// Sends nothing for a time.
    case pause(Duration)
    /// Keeps the connection open until the client closes it.
    case hang
  }

  /// A request as the client sent it.
  struct Request: Sendable {
    var path: String
    /// The headers by their names in lowercase.
    var headers: [String: String]
  }

  private let socket: Int32
  private let port: UInt16
  private let log = Mutex<[Request]>([])
  private let connections = Connections()

  /// Starts a server on a free port.
  init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    #if canImport(Glibc)
      socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = socket
    // SAFETY: socket addresses of all families begin with the same members, and
    // the size is that of the address.
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [weak self, connections] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let server = self
        connections.count.withLock { $0 += 1 }
        Thread.detachNewThread {
          if let request = Self.request(from: connection) {
            server?.log.withLock { $0.append(request) }
            for step in answer(request) where !Self.perform(step, connection) { break }
          }
          close(connection)
          connections.count.withLock { $0 -= 1 }
        }
      }
      // Only this thread closes the socket: its number could become that of
      // another server's socket while this thread still accepts connections.
      close(listener)
    }
  }

  // Makes `accept` fail.
  deinit { shutdown(socket, Int32(SHUT_RDWR)) }

  /// The URL of a path.
  func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The requests so far.
  var requests: [Request] { log.withLock { $0 } }

  /// The number of connections that neither side has closed.
  var connectionCount: Int { connections.count.withLock { $0 } }

  private final class Connections: Sendable {
    let count = Mutex(0)
  }

  private static func request(from connection: Int32) -> Request? {
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !text.contains("\r\n\r\n") {
      let count = recv(connection, &bytes, bytes.count, 0)
      guard count > 0 else { return nil }
      text += String(decoding: bytes[..<count], as: UTF8.self)
    }
    let lines = text.split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return Request(path: String(words[1]), headers: headers)
  }

  /// Returns whether the client still listens.
  private static func perform(_ step: Step, _ connection: Int32) -> Bool {
    switch step {
    case .send(let data): return send(data, connection)
    case .repeat(let data, let count):
      for _ in 0..<count where !send(data, connection) { return false }
      return true
    case .pause(let time):
      Thread.sleep(
        forTimeInterval: Double(time.components.seconds) + Double(time.components.attoseconds)
          / 1e18)
      return true
    case .hang:
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return false
    }
  }

  private static func send(_ data: Data, _ connection: Int32) -> Bool {
    var rest = [UInt8](data)[...]
    while !rest.isEmpty {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

extension FaultyServer.Step {
  /// The head of a response, and its body.
  ///
  /// - Parameter length: The `Content-Length` header; nil for none.
  static func response(
    _ status: Int = 200, _ headers: [String: String] = [:], _ body: Data = Data(),
    length: Int? = nil
  ) -> FaultyServer.Step {
    var head = "HTTP/1.1 \(status) X\r\nConnection: close\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if let length { head += "Content-Length: \(length)\r\n" }
    return .send(Data("\(head)\r\n".utf8) + body)
  }

  /// A complete response.
  static func document(_ body: Data, _ headers: [String: String] = [:]) -> FaultyServer.Step {
    response(200, headers, body, length: body.count)
  }

  static func redirect(_ status: Int, to location: String) -> FaultyServer.Step {
    response(status, ["Location": location], length: 0)
  }
}
