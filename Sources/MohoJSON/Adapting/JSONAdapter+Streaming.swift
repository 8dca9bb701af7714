public import Foundation
import MohoMapping

extension JSONAdapter {
  /// The elements of a text that arrives byte by byte, such as a download.
  ///
  /// An element that is not the model's does not end the stream: the element
  /// says so. Text that is not JSON does.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8.
  ///   - layout: How it holds the elements.
  ///   - limit: The most bytes of an element, and of any other value beside the
  ///     way to the array: the memory of a stream is some times this.
  public func elements<Bytes: AsyncSequence>(
    from bytes: Bytes, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ElementSequence<Model, Bytes> where Bytes.Element == UInt8 {
    ElementSequence(adapter: self, bytes: bytes, layout: layout, limit: limit)
  }

  /// The elements of a text that arrives in chunks, such as `Data`, `[UInt8]` or
  /// any other sequence of bytes.
  ///
  /// An element that is not the model's does not end the stream: the element
  /// says so. Text that is not JSON does.
  ///
  /// - Parameters:
  ///   - chunks: The text, in UTF-8.
  ///   - layout: How it holds the elements.
  ///   - limit: The most bytes of an element, and of any other value beside the
  ///     way to the array: the memory of a stream is some times this, and a
  ///     chunk's.
  public func elements<Chunks: AsyncSequence>(
    from chunks: Chunks, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> ChunkedElements<Model, Chunks> where Chunks.Element: Sequence<UInt8> {
    ChunkedElements(adapter: self, chunks: chunks, layout: layout, limit: limit)
  }

  /// The elements of a file, or of what is left to read of it.
  ///
  /// - Parameters:
  ///   - file: A file whose text is UTF-8.
  ///   - layout: How it holds the elements.
  ///   - limit: The most bytes of an element, and of any other value beside the
  ///     way to the array: the memory of a stream is some times this.
  public func elements(
    from file: FileHandle, as layout: StreamLayout = .rootArray, limit: Int = 16 << 20
  ) -> FileElements<Model> {
    FileElements(file: file, parser: ElementParser(self, layout: layout, limit: limit))
  }
}
