/// A sequence of bytes.
struct ByteSequence<Source: Sequence<UInt8> & Sendable>: AsyncSequence, Sendable {
  let source: Source

  init(_ source: Source) { self.source = source }

  func makeAsyncIterator() -> Iterator { Iterator(source: source.makeIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var source: Source.Iterator

    mutating func next() async -> UInt8? { source.next() }
  }
}
