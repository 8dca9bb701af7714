/// An array that skips elements that cannot be read and reports their errors.
///
/// ```swift
/// struct Feed: MappedModel {
///   var episodes: LossyArray<Episode>
///   …
/// }
/// for error in feed.episodes.dropped { print(error) }
/// ```
public struct LossyArray<Element: FieldValue>: Sendable {
  /// The elements that could be read, in order.
  public var elements: [Element]

  /// The errors of the skipped elements, in order. They are not written and not
  /// compared.
  public var dropped: [MappingError]

  /// Creates an array without errors.
  public init(_ elements: [Element] = []) {
    self.elements = elements
    dropped = []
  }
}

extension LossyArray: FieldValue {
  /// An array.
  public static var fieldType: FieldType { .array }

  /// An array of the elements. Elements in other forms are skipped.
  public static var fieldSchema: FieldSchema {
    .array(of: .anyOf(Element.fieldSchema, .unknown("elements in other forms are skipped")))
  }

  /// The related models of the elements, ordered.
  public static var relatedModels: RelatedModels? {
    Element.relatedModels?.many(isOrdered: true)
  }

  /// Reads the elements that can be read.
  ///
  /// - Throws: ``MappingError`` if the value is not an array.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> LossyArray {
    try LossyArray(from: decoder, at: index) { try Element.decode(from: $0, at: $1) }
  }

  init(
    from decoder: any FieldDecoder, at index: Int,
    _ read: (any FieldDecoder, Int) throws -> Element
  ) throws {
    self.init()
    let parts = try decoder.array(at: index)
    for position in 0..<parts.count {
      do {
        elements.append(try read(parts.decoder, position))
      } catch let error as MappingError {
        dropped += error.errors
      }
    }
  }

  /// An array of one sample.
  public static func sample(_ sample: FieldSample) -> LossyArray? {
    Element.sample(sample.omissible).map { LossyArray([$0]) }
  }

  /// Writes the elements.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try elements.encode(to: encoder, at: index)
  }
}

extension LossyArray: Equatable where Element: Equatable {
  /// Whether the elements are equal.
  public static func == (one: Self, other: Self) -> Bool { one.elements == other.elements }
}

extension LossyArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}
