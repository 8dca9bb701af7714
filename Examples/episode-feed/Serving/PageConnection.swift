import EpisodeFeed
import FlyingSocks
import Foundation

/// A connection of a client: reads requests one after the other, and answers them.
///
/// The server of FlyingFox is not used, because its time is quadratic in the
/// length of a line, which has no limit: after each byte, `CollectUntil` calls
/// `suffix(_:)` of `Sequence`, which walks through all bytes of the line.
struct PageConnection {
  let socket: AsyncSocket
  let handler: PageHandler

  /// The number of bytes that are read and discarded after the last answer, so
  /// that a client that is still sending receives it.
  private static let lingerLimit = 1 << 20

  /// Answers requests until the client disconnects.
  func run() async {
    defer { try? socket.close() }
    do {
      var bytes = ConnectionBytes(socket)
      while let head = try await bytes.head() {
        var body = RequestBody(head.body, bytes)
        guard try await answer(head, &body) else { return await linger() }
        bytes = body.bytes
      }
    } catch let error as PageError {
      try? await PageResponse(error).write(to: socket, .closing, hasBody: true)
      await linger()
    } catch {
      // The client has disconnected, or has not sent a request in time.
    }
  }

  /// Answers a request.
  ///
  /// - Returns: Whether the connection can be used for another request.
  private func answer(_ head: RequestHead, _ body: inout RequestBody) async throws -> Bool {
    let response = await handler.response(to: head, &body)
    // The rest of a body must not be taken for the next request.
    let isPersistent = await body.discard() && head.isPersistent
    try await response.write(
      to: socket, isPersistent ? .persistent : head.allowsChunks ? .closing : .unframed,
      hasBody: head.method != "HEAD")
    return isPersistent
  }

  /// Ends the answers, and waits a short time for the client to end the
  /// connection. Otherwise, bytes that were not read could discard the answer.
  private func linger() async {
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    var bytes = ConnectionBytes(socket)
    var count = 0
    while count < Self.lingerLimit, ContinuousClock.now < end,
      let chunk = try? await bytes.bytes(upTo: 4_096)
    { count += chunk.count }
  }
}
