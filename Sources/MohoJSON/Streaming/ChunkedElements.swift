import MohoMapping

/// The elements of a text that arrives in chunks of bytes, in bounded memory.
///
/// ```swift
/// for try await element in adapter.elements(from: response.body, as: .lines) {
///   print(element.index, try element.model.title)
/// }
/// ```
///
/// Chunks may end anywhere, inside a character too, and may be empty. All else
/// is as for ``ElementSequence``, at the cost of one step for each chunk, not
/// one for each byte.
public struct ChunkedElements<Model, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  let adapter: JSONAdapter<Model>
  let chunks: Chunks
  let layout: StreamLayout
  let limit: Int

  /// Begins an iteration, and one over the chunks.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      chunks: chunks.makeAsyncIterator(),
      parser: ElementParser(adapter, layout: layout, limit: limit),
      ends: ElementEnds(layout))
  }

  /// Iterates over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private let parser: ElementParser<Model>
    private var ends: ElementEnds
    private var isAtEnd = false

    init(chunks: Chunks.AsyncIterator, parser: ElementParser<Model>, ends: ElementEnds) {
      self.chunks = chunks
      self.parser = parser
      self.ends = ends
    }

    /// The next element, or nil at the end of the text.
    public mutating func next() async throws -> StreamedElement<Model>? {
      try await next(isolation: nil)
    }

    /// The next element, or nil at the end of the text.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> StreamedElement<Model>? {
      while true {
        if let element = try parser.next(isLast: isAtEnd) { return element }
        if isAtEnd { return nil }
        // An element that comes in many chunks is looked at where one may end.
        var missing = parser.wantedCount
        while missing > 0 {
          guard let chunk = try await chunks.next(isolation: actor) else {
            isAtEnd = true
            break
          }
          let (count, mayEnd) = append(chunk)
          missing -= mayEnd ? missing : count
        }
      }
    }

    private mutating func append(_ chunk: Chunks.Element) -> (count: Int, mayEnd: Bool) {
      chunk.withContiguousStorageIfAvailable { append($0) }
        ?? Array(chunk).withUnsafeBufferPointer { append($0) }
    }

    /// - Returns: How many bytes there are, and whether an element may end with
    ///   one of them.
    private mutating func append(
      _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (count: Int, mayEnd: Bool) {
      var mayEnd = false
      for byte in bytes where ends.isEnd(byte) { mayEnd = true }
      // SAFETY: The bytes are used inside the call that lends them only.
      parser.append(UnsafeRawBufferPointer(bytes))
      return (bytes.count, mayEnd)
    }
  }
}

extension ChunkedElements: Sendable where Chunks: Sendable {}
