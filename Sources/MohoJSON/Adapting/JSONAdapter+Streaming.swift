public import Foundation
import MohoMapping

extension JSONAdapter {
  /// Decodes the elements of a text that arrives byte by byte, such as a download.
  ///
  /// An element that fails to decode does not end the stream: its result is the
  /// error. Text that is not JSON ends it.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - layout: The layout of the elements in the text.
  ///   - limit: The most bytes of an element, and of any other value outside the
  ///     path to the array. The memory of a stream is a small multiple of it.
  public func elements<Bytes: AsyncSequence>(
    from bytes: Bytes, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ElementSequence<Model, Bytes> where Bytes.Element == UInt8 {
    ElementSequence(adapter: self, bytes: bytes, layout: layout, limit: limit)
  }

  /// Decodes the elements of a text that arrives in chunks, such as `Data`,
  /// `[UInt8]` or any other sequence of bytes.
  ///
  /// An element that fails to decode does not end the stream: its result is the
  /// error. Text that is not JSON ends it.
  ///
  /// - Parameters:
  ///   - chunks: The text, in UTF-8.
  ///   - layout: The layout of the elements in the text.
  ///   - limit: The most bytes of an element, and of any other value outside the
  ///     path to the array. The memory of a stream is a small multiple of it, and
  ///     the size of a chunk.
  public func elements<Chunks: AsyncSequence>(
    from chunks: Chunks, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ChunkedElements<Model, Chunks> where Chunks.Element: Sequence<UInt8> {
    ChunkedElements(adapter: self, chunks: chunks, layout: layout, limit: limit)
  }

  /// Decodes the elements of a file, from its current position.
  ///
  /// - Parameters:
  ///   - file: A file of UTF-8 text.
  ///   - layout: The layout of the elements in the text.
  ///   - limit: The most bytes of an element, and of any other value outside the
  ///     path to the array. The memory of a stream is a small multiple of it.
  public func elements(
    from file: FileHandle, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> FileElements<Model> {
    FileElements(file: file, decoder: StreamDecoder(self, layout, limit: limit))
  }
}
