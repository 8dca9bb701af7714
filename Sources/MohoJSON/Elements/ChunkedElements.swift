import MohoMapping

/// The elements of a text that arrives in chunks of bytes, decoded in bounded memory.
///
/// ```swift
/// for try await element in adapter.elements(from: response.body, as: .lines) {
///   print(element.index, try element.model.title)
/// }
/// ```
///
/// Chunks can end anywhere, even inside a character, and can be empty. Otherwise it is
/// like ``ElementSequence``, with one step for each chunk instead of one for each
/// byte.
public struct ChunkedElements<Model, Chunks: AsyncSequence>: AsyncSequence
where Chunks.Element: Sequence<UInt8> {
  let adapter: JSONAdapter<Model>
  let chunks: Chunks
  let layout: StreamLayout
  let limit: Int

  /// Creates an iterator, and one over the chunks.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      chunks: chunks.makeAsyncIterator(),
      decoder: StreamDecoder(adapter, layout, limit: limit),
      ends: ElementEndDetector(layout))
  }

  /// Iterates over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    private var chunks: Chunks.AsyncIterator
    private let decoder: StreamDecoder<Model>
    private var ends: ElementEndDetector
    private var isAtEnd = false

    init(chunks: Chunks.AsyncIterator, decoder: StreamDecoder<Model>, ends: ElementEndDetector) {
      self.chunks = chunks
      self.decoder = decoder
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
        if let element = try decoder.next(isLast: isAtEnd) { return element }
        if isAtEnd { return nil }
        // An element in many chunks is scanned only where one may end.
        var missing = decoder.wantedCount
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

    /// - Returns: The number of bytes, and whether an element may end with one of them.
    private mutating func append(
      _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (count: Int, mayEnd: Bool) {
      var mayEnd = false
      for byte in bytes where ends.isEnd(byte) { mayEnd = true }
      // SAFETY: The bytes are used only inside the call.
      decoder.append(UnsafeRawBufferPointer(bytes))
      return (bytes.count, mayEnd)
    }
  }
}

extension ChunkedElements: Sendable where Chunks: Sendable {}
