import EpisodeFeed
import FlyingFox
import FlyingSocks
import Foundation

/// The body of a request: read up to a limit, or discarded.
struct RequestBody {
  private let length: Int?
  // SAFETY: only the task that handles the request reads the body.
  private nonisolated(unsafe) var chunks: HTTPBodySequence.Iterator
  private var isComplete = false
  private var hasFailed = false

  /// The number of bytes that are read and discarded, so that a client that is
  /// still sending receives the answer.
  private static let discardLimit = 64 << 20

  init(_ body: HTTPBodySequence) {
    length = body.count
    chunks = body.makeAsyncIterator()
    isComplete = length == 0
  }

  /// Returns the body.
  ///
  /// - Throws: ``PageError`` if the body is too large or does not arrive in time.
  mutating func read(upTo limit: Int, within time: Duration) async throws -> Data {
    let tooLarge = PageError(
      .tooLarge,
      "the body is larger than " + (limit >= 1 << 20 ? "\(limit >> 20) MB" : "\(limit >> 10) kB"))
    if let length, length > limit { throw tooLarge }
    let end = ContinuousClock.now + time
    var data = Data()
    while let chunk = try await next() {
      data += chunk
      guard data.count <= limit else { throw tooLarge }
      guard ContinuousClock.now < end else {
        hasFailed = true
        throw PageError(.timeout, "the request did not arrive in time")
      }
    }
    return data
  }

  /// Reads the rest of the body.
  ///
  /// - Returns: Whether the connection can be used for another request.
  mutating func discard() async -> Bool {
    guard (length ?? 0) <= Self.discardLimit else { return false }
    let end = ContinuousClock.now + .seconds(10)
    var count = 0
    while count <= Self.discardLimit, ContinuousClock.now < end, let chunk = try? await next() {
      count += chunk.count
    }
    return isComplete && !hasFailed
  }

  private mutating func next() async throws -> Data? {
    guard !isComplete, !hasFailed else { return nil }
    do {
      let chunk = try await chunks.next()
      isComplete = chunk == nil
      return chunk
    } catch {
      hasFailed = true
      throw error
    }
  }
}

extension HTTPResponse {
  /// The response, after which the server closes the connection.
  var closingConnection: HTTPResponse {
    guard case .httpBody(let body) = payload, let count = body.count else { return self }
    var response = self
    response.headers[.connection] = "close"
    response.payload = .httpBody(HTTPBodySequence(from: ClosingBody(body: body), count: count))
    return response
  }
}

/// A body that fails at its end. FlyingFox closes a connection only after an
/// error.
private struct ClosingBody: AsyncBufferedSequence {
  typealias Element = UInt8

  let body: HTTPBodySequence

  func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    // SAFETY: only the task that writes the answer reads it.
    nonisolated(unsafe) var chunks: HTTPBodySequence.Iterator

    mutating func next() async throws -> UInt8? { throw SocketError.disconnected }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard let chunk = try await chunks.next() else { throw SocketError.disconnected }
      return chunk
    }
  }
}
