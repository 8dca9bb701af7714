import EpisodeFeed
import FlyingSocks
import Foundation
import Moho

/// The answer to a request.
struct PageResponse {
  enum Body {
    case data(Data)
    /// The events of a client, until it leaves.
    case events(any EventClient)
  }

  let status: Int
  var headers: [(name: String, value: String)]
  var body: Body

  /// Creates an answer with the headers of safety.
  init(_ status: Int, _ headers: [(name: String, value: String)], _ body: Body) {
    self.status = status
    self.headers =
      headers + PageSafety.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.body = body
  }

  init<Message: MappedModel>(_ status: Int, _ message: Message) {
    let data = (try? JSONAdapter<Message>().data(from: message)) ?? Data("{}".utf8)
    self.init(
      status, [("Content-Type", "application/json"), ("Cache-Control", "no-store")], .data(data))
  }

  init(_ error: PageError) { self.init(error.status, error) }

  /// The form of the answer on a connection.
  enum Framing {
    /// Other answers follow.
    case persistent
    /// The connection ends after the answer.
    case closing
    /// The connection ends after the answer, and the client knows no chunks.
    case unframed
  }

  /// Writes the answer.
  ///
  /// - Parameter hasBody: Whether to send the body; otherwise only the head.
  func write(to socket: AsyncSocket, _ framing: Framing, hasBody: Bool) async throws {
    var lines = ["HTTP/1.1 \(status) \(Self.phrases[status] ?? "")"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if framing != .persistent { lines.append("Connection: close") }
    switch body {
    case .data(let data):
      lines.append("Content-Length: \(data.count)")
      let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
      try await socket.write(hasBody ? head + data : head)
    case .events(let client):
      if framing != .unframed { lines.append("Transfer-Encoding: chunked") }
      try await socket.write(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
      if hasBody { try await Self.write(client, to: socket, isChunked: framing != .unframed) }
    }
  }

  /// Writes events until an error. The connection accepts one event before the
  /// next one is made.
  private static func write(
    _ client: any EventClient, to socket: AsyncSocket, isChunked: Bool
  ) async throws {
    var client = client
    var event = ServerEvent.opening
    while true {
      let size = isChunked ? Data("\(String(event.count, radix: 16))\r\n".utf8) : Data()
      try await socket.write(size + event + (isChunked ? Data("\r\n".utf8) : Data()))
      event = try await client.next()?.text ?? ServerEvent.heartbeat
    }
  }

  private static let phrases = [
    200: "OK", 304: "Not Modified", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
    413: "Content Too Large", 415: "Unsupported Media Type", 421: "Misdirected Request",
    422: "Unprocessable Content", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
  ]
}
