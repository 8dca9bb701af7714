import MohoMapping

/// The elements of a text that arrives byte by byte, in bounded memory.
///
/// ```swift
/// for try await element in adapter.elements(from: bytes, as: .lines) {
///   print(element.index, try element.model.title)
/// }
/// ```
///
/// An object, an array or a line is yielded as soon as its last byte is there,
/// a number or another short value with what follows it. An iteration throws
/// ``JSONError`` where the text is not JSON or an element is larger than the
/// limit, `MappingError` where there is no array, and what the bytes throw;
/// nothing comes after an error. What is wrong with an element alone is in its
/// result.
public struct ElementSequence<Model, Bytes: AsyncSequence>: AsyncSequence
where Bytes.Element == UInt8 {
  let adapter: JSONAdapter<Model>
  let bytes: Bytes
  let layout: StreamLayout
  let limit: Int

  /// Begins an iteration, and one over the bytes.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      bytes: bytes.makeAsyncIterator(),
      parser: ElementParser(adapter, layout: layout, limit: limit),
      ends: ElementEnds(layout))
  }

  /// Iterates over the elements.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline var bytes: Bytes.AsyncIterator
    @usableFromInline let parser: ElementParser<Model>
    @usableFromInline var ends: ElementEnds
    @usableFromInline var isAtEnd = false

    init(bytes: Bytes.AsyncIterator, parser: ElementParser<Model>, ends: ElementEnds) {
      self.bytes = bytes
      self.parser = parser
      self.ends = ends
    }

    /// The next element, or nil at the end of the text.
    public mutating func next() async throws -> StreamedElement<Model>? {
      try await next(isolation: nil)
    }

    // Inlinable: a call per byte that is not specialized costs as much as
    // parsing it.
    /// The next element, or nil at the end of the text.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> StreamedElement<Model>? {
      while true {
        if let element = try parser.next(isLast: isAtEnd) { return element }
        if isAtEnd { return nil }
        let count = parser.wantedCount
        var part: [UInt8] = []
        while part.count < count {
          guard let byte = try await bytes.next(isolation: actor) else {
            isAtEnd = true
            break
          }
          part.append(byte)
          if ends.isEnd(byte) { break }
        }
        // SAFETY: The bytes are used inside the call that lends them only.
        part.withUnsafeBytes { parser.append($0) }
      }
    }
  }
}

extension ElementSequence: Sendable where Bytes: Sendable {}

/// Tells from the bytes of a text which of them may end an element.
@usableFromInline
struct ElementEnds {
  /// How many containers hold the elements; nil where lines do.
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
