import Foundation
import MohoMapping

/// The elements of a file, decoded one at a time in bounded memory.
///
/// ```swift
/// var elements = adapter.elements(from: file, as: .array(at: "items"))
/// while let element = try elements.next() {
///   try store.save(element.model)
/// }
/// ```
///
/// Not `Sendable`: use it on one thread at a time.
public struct FileElements<Model> {
  private let file: FileHandle
  private let decoder: StreamDecoder<Model>
  private var isAtEnd = false

  init(file: FileHandle, decoder: StreamDecoder<Model>) {
    self.file = file
    self.decoder = decoder
  }

  /// The next element, or nil at the end of the text.
  ///
  /// - Throws: `JSONError` if the text is not JSON or an element exceeds the limit;
  ///   `MappingError` if there is no array at the path; what reading the file throws.
  ///   The iteration ends after an error. The error of a single element is in its
  ///   result.
  public mutating func next() throws -> StreamedElement<Model>? {
    while true {
      if let element = try decoder.next(isLast: isAtEnd) { return element }
      if isAtEnd { return nil }
      let bytes = try file.read(upToCount: decoder.wantedCount) ?? Data()
      isAtEnd = bytes.isEmpty
      // SAFETY: The bytes are used only inside the call.
      bytes.withUnsafeBytes { decoder.append($0) }
    }
  }
}
