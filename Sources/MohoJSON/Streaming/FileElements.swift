import Foundation
import MohoMapping

/// The elements of a file, read one after the other in bounded memory.
///
/// ```swift
/// var elements = adapter.elements(from: file, as: .array(at: "items"))
/// while let element = try elements.next() {
///   try store.save(element.model)
/// }
/// ```
///
/// Not `Sendable`: it is used by one thread at a time.
public struct FileElements<Model> {
  private let file: FileHandle
  private let parser: ElementParser<Model>
  private var isAtEnd = false

  init(file: FileHandle, parser: ElementParser<Model>) {
    self.file = file
    self.parser = parser
  }

  /// The next element, or nil at the end of the text.
  ///
  /// - Throws: ``JSONError`` where the text is not JSON or an element is larger
  ///   than the limit, `MappingError` where there is no array, and what
  ///   reading the file throws. Nothing comes after an error. What is wrong
  ///   with an element alone is in its result.
  public mutating func next() throws -> StreamedElement<Model>? {
    while true {
      if let element = try parser.next(isLast: isAtEnd) { return element }
      if isAtEnd { return nil }
      let bytes = try file.read(upToCount: parser.wantedCount) ?? Data()
      isAtEnd = bytes.isEmpty
      // SAFETY: The bytes are used inside the call that lends them only.
      bytes.withUnsafeBytes { parser.append($0) }
    }
  }
}
