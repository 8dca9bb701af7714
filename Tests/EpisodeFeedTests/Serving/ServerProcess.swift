import CommandTesting
import Foundation
import Moho
import Testing

/// A process of `episode-feed serve` at a free port.
final class ServerProcess {
  let folder: TemporaryFolder
  let port: UInt16
  private let process: Process

  /// Starts the server of the store `store.sqlite` in the folder.
  init(
    _ command: [String] = ["serve", "--store", "store.sqlite"], in folder: TemporaryFolder
  ) throws {
    self.folder = folder
    let tool = Tool.episodeFeed
    process = tool.process([tool.url.path] + command + ["--port", "0"], in: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server did not start")
      line += data
    }
    let url = try #require(URL(string: String(decoding: line.dropLast(), as: UTF8.self)))
    #expect(url.scheme == "http" && url.host() == "localhost")
    port = UInt16(try #require(url.port))
  }

  deinit { process.terminate() }

  /// The seconds of processor time that the process has used.
  func processorTime() throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/ps")
    process.arguments = ["-o", "time=", "-p", "\(self.process.processIdentifier)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    let parts = text.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":")
    return try parts.reduce(0) { try $0 * 60 + #require(Double($1)) }
  }

  /// Sends a signal, and returns the exit status.
  func end(_ signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// A connection that sends and receives plain bytes.
final class RawConnection {
  private let socket: Int32
  private var received: [UInt8] = []

  /// - Parameter bufferSize: The size of the receive buffer in bytes; nil for
  ///   that of the system.
  init(_ port: UInt16, bufferSize: Int32? = nil) throws {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    socket = Foundation.socket(AF_INET, stream, 0)
    if var bufferSize { set(SO_RCVBUF, &bufferSize) }
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    set(SO_RCVTIMEO, &timeout)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(status == 0)
  }

  private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: inout Value) {
    setsockopt(socket, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  deinit { close(socket) }

  /// Sends a text. A server that has closed the connection is not an error.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends a request with the headers of the page.
  func request(
    _ method: String, _ target: String, _ headers: String..., body: String = "", port: UInt16
  ) {
    let host = "127.0.0.1:\(port)"
    var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Origin: http://\(host)"]
    lines += headers
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// Receives until the text contains another one, and returns the text up to
  /// its end.
  func receive(until end: String) throws -> String {
    let end = Array(end.utf8)
    var start = 0
    while true {
      if let range = received[start...].firstRange(of: end) {
        defer { received.removeFirst(range.upperBound) }
        return String(decoding: received[..<range.upperBound], as: UTF8.self)
      }
      start = max(0, received.count - end.count)
      try #require(receive(), "the connection ended")
    }
  }

  /// Receives a response with a length: its head, and its body.
  func response() throws -> (head: String, body: String) {
    let head = try receive(until: "\r\n\r\n")
    let length = head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.1) } ?? 0
    while received.count < length { try #require(receive(), "the connection ended") }
    defer { received.removeFirst(length) }
    return (head, String(decoding: received[..<length], as: UTF8.self))
  }

  /// Receives until the server closes the connection, and returns the text.
  func receiveAll() -> String {
    while receive() {}
    return text
  }

  private var text: String { String(decoding: received, as: UTF8.self) }

  /// Returns false at the end of the connection.
  private func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &bytes, bytes.count, 0)
    received += bytes.prefix(max(0, count))
    return count > 0
  }
}
