import MohoMapping

/// The elements of a text that arrives byte by byte, decoded in bounded memory.
///
/// ```swift
/// for try await element in adapter.elements(from: bytes, as: .lines) {
///   print(element.index, try element.model.title)
/// }
/// ```
///
/// An object, an array or a line is returned as soon as its last byte arrives, and a
/// number or another scalar with the token that follows it. An iteration throws
/// `JSONError` if the text is not JSON or an element exceeds the limit, `MappingError`
/// if there is no array at the path, and what the bytes throw. It ends after an
/// error. The error of a single element is in its result.
public struct ElementSequence<Model, Bytes: AsyncSequence>: AsyncSequence
where Bytes.Element == UInt8 {
  let adapter: JSONAdapter<Model>
  let bytes: Bytes
  let layout: StreamLayout
  let limit: Int

  /// Creates an iterator, and one over the bytes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      bytes: bytes.makeAsyncIterator(),
      decoder: StreamDecoder(adapter, layout, limit: limit),
      ends: ElementEndDetector(layout))
  }

  /// Iterates over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var bytes: Bytes.AsyncIterator
    @usableFromInline let decoder: StreamDecoder<Model>
    @usableFromInline var ends: ElementEndDetector
    @usableFromInline var isAtEnd = false

    init(bytes: Bytes.AsyncIterator, decoder: StreamDecoder<Model>, ends: ElementEndDetector) {
      self.bytes = bytes
      self.decoder = decoder
      self.ends = ends
    }

    /// The next element, or nil at the end of the text.
    public mutating func next() async throws -> StreamedElement<Model>? {
      try await next(isolation: nil)
    }

    // Inlinable: an unspecialized call for each byte is as expensive as parsing it.
    /// The next element, or nil at the end of the text.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> StreamedElement<Model>? {
      while true {
        if let element = try decoder.next(isLast: isAtEnd) { return element }
        if isAtEnd { return nil }
        let count = decoder.wantedCount
        var part: [UInt8] = []
        while part.count < count {
          guard let byte = try await bytes.next(isolation: actor) else {
            isAtEnd = true
            break
          }
          part.append(byte)
          if ends.isEnd(byte) { break }
        }
        // SAFETY: The bytes are used only inside the call.
        part.withUnsafeBytes { decoder.append($0) }
      }
    }
  }
}

extension ElementSequence: Sendable where Bytes: Sendable {}

/// Detects the bytes that may end an element.
@usableFromInline
struct ElementEndDetector {
  /// The number of containers around the elements; nil for lines.
  @usableFromInline let level: Int?
  @usableFromInline var depth = 0
  @usableFromInline var isInString = false
  @usableFromInline var isEscaped = false

  init(_ layout: StreamLayout) {
    switch layout {
    case .rootArray: level = 1
    case .array(let path): level = path.components.count + 1
    case .lines: level = nil
    }
  }

  /// Whether an element may end with the next byte.
  @inlinable
  mutating func isEnd(_ byte: UInt8) -> Bool {
    guard let level else { return byte == UInt8(ascii: "\n") }
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: "}"):
      depth -= 1
      return depth <= level
    default: break
    }
    return false
  }
}
