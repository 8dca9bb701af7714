import EpisodeFeed
import FlyingSocks

/// The bytes that arrive on a connection.
struct ConnectionBytes {
  private let socket: AsyncSocket
  private var buffer: ArraySlice<UInt8> = []

  init(_ socket: AsyncSocket) { self.socket = socket }

  /// Reads the head of a request.
  ///
  /// - Returns: Nil at the end of the connection.
  /// - Throws: ``PageError`` if the head is too large or not valid;
  ///   `SocketError`.
  mutating func head() async throws -> RequestHead? {
    var reader = RequestHeadReader()
    while true {
      if let head = try reader.read(&buffer) { return head }
      do {
        buffer = try await socket.read(atMost: 4_096)[...]
      } catch SocketError.disconnected where reader.isEmpty {
        return nil
      }
    }
  }

  /// Reads at least one byte.
  mutating func bytes(upTo count: Int) async throws -> ArraySlice<UInt8> {
    if buffer.isEmpty { buffer = try await socket.read(atMost: 4_096)[...] }
    let bytes = buffer.prefix(count)
    buffer = buffer.dropFirst(count)
    return bytes
  }

  /// Reads a line, without its end.
  ///
  /// - Throws: ``PageError`` if the line is longer than a limit.
  mutating func line(upTo limit: Int) async throws -> String {
    var line: [UInt8] = []
    while let byte = try await bytes(upTo: 1).first, byte != UInt8(ascii: "\n") {
      line.append(byte)
      guard line.count <= limit else {
        throw PageError(.invalidRequest, "the request is not valid HTTP")
      }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
