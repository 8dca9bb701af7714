import EpisodeFeed
import FlyingSocks
import Foundation

/// The events of a client as the body of an answer. The connection accepts one
/// event before the next one is made.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let client: ListClient

  func makeAsyncIterator() -> Iterator { Iterator(client: client) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var client: ListClient
    private var pending = ServerEvent.opening[...]

    init(client: ListClient) { self.client = client }

    mutating func next() async throws -> UInt8? {
      if pending.isEmpty { pending = try await event() }
      return pending.popFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      defer { pending = Data() }
      return pending.isEmpty ? try await event() : pending
    }

    private mutating func event() async throws -> Data {
      try await client.next()?.text ?? ServerEvent.heartbeat
    }
  }
}
