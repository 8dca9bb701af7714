import Foundation
import Moho

/// Reads the fields of an element: the adapter of XML feeds.
///
/// A path leads through child elements to the text of an element, or to an
/// attribute: `itunes:duration`, `enclosure.@url`. Of several elements with the
/// name, the first with a value counts; an array has all of them. Empty text is
/// absent. Numbers and other values are read from their text.
final class XMLFieldDecoder: FieldDecoder {
  private struct Value {
    let text: String
    let offset: Int
    let path: FieldPath
  }

  /// A value by its path and its element.
  private struct Position: Hashable {
    let path: FieldPath
    let offset: Int
  }

  /// The maximum number of elements of an array. Later ones are ignored.
  private static let elementLimit = 1_000

  private let element: FeedElement
  private let path: FieldPath
  private let keys: [FieldKey]
  /// The elements of an array, which the indices of fields refer to. Nil for the
  /// keys of ``element``.
  private let parts: [FeedElement]?
  private let text: XMLText
  /// The values that are treated as absent.
  private var skipped: Set<Position> = []
  /// The key that was found last. A mapping asks several times for each key.
  private var last: (index: Int, value: Value?)?

  /// - Parameter path: The path of the element, for messages.
  init(_ element: FeedElement, _ keys: FieldKeys, at path: FieldPath, in text: XMLText) {
    self.element = element
    self.keys = keys.keys
    self.path = path
    self.text = text
    parts = nil
  }

  /// Creates a decoder of the elements of an array.
  private init(_ parts: [FeedElement], of array: XMLFieldDecoder, at path: FieldPath) {
    element = array.element
    keys = []
    self.path = path
    text = array.text
    self.parts = parts
  }

  /// Treats the value of an error as absent, so that the next element with the
  /// name counts, or the next path of the key.
  ///
  /// - Returns: False if the error is not about a value.
  func leaveOut(_ error: MappingError) -> Bool {
    guard error.code != .missingValue, let path = error.path, let position = error.position else {
      return false
    }
    last = nil
    return skipped.insert(Position(path: path, offset: position.offset)).inserted
  }

  private func find(_ index: Int) -> Value? {
    if let last, last.index == index { return last.value }
    let value = search(index)
    last = (index, value)
    return value
  }

  private func search(_ index: Int) -> Value? {
    if let parts {
      let path = path.appending(.index(index))
      return parts[index].text.isEmpty
        ? nil : Value(text: parts[index].text, offset: parts[index].offset, path: path)
    }
    guard let source = keys[index].source else { return nil }
    for path in [source] + keys[index].alternatives {
      let full = self.path.appending(path)
      if let value = search(path.components[...], in: element, full) {
        return Value(text: value.text, offset: value.offset, path: full)
      }
    }
    return nil
  }

  private func search(
    _ components: ArraySlice<FieldPath.Component>, in element: FeedElement, _ path: FieldPath
  ) -> (text: String, offset: Int)? {
    func result(_ text: String) -> (text: String, offset: Int)? {
      let position = Position(path: path, offset: element.offset)
      return text.isEmpty || !skipped.isEmpty && skipped.contains(position)
        ? nil : (text, element.offset)
    }
    guard let component = components.first else { return result(element.text) }
    guard case .key(let name) = component else { return nil }
    if name.hasPrefix("@") {
      let value = element.attributes[String(name.dropFirst())] ?? ""
      let text = ["@href", "@url"].contains(name) ? element.resolved(value) : value
      return result(text)
    }
    return element.children.lazy.filter { $0.name == name }
      .compactMap { self.search(components.dropFirst(), in: $0, path) }.first
  }

  private func read<Result>(
    _ index: Int, _ expected: String, _ result: (String) -> Result?
  ) throws -> Result {
    guard let value = find(index) else {
      throw error(.missingValue, at: index, expected: expected)
    }
    guard let result = result(value.text) else {
      throw error(.invalidValue, at: index, expected: expected)
    }
    return result
  }

  /// The elements of the value of a key of an array, all in one element.
  private func elements(at index: Int) -> [FeedElement] {
    guard keys.indices.contains(index), let source = keys[index].source else { return [] }
    return source.components.reduce([element]) { elements, component in
      guard case .key(let name) = component, let element = elements.first else { return [] }
      return element.children.filter { $0.name == name }
    }
  }

  /// Whether the value has no text, because it consists of elements.
  private func hasElements(_ index: Int) -> Bool {
    parts != nil || keys[index].type == .array
  }

  func isAbsent(at index: Int) -> Bool {
    hasElements(index) ? parts == nil && elements(at: index).isEmpty : find(index) == nil
  }

  func isNull(at index: Int) throws -> Bool { isAbsent(at: index) }

  func array(at index: Int) throws -> FieldElements {
    let elements = elements(at: index).prefix(Self.elementLimit)
    let path = path.appending(keys[index].source ?? FieldPath([]))
    return FieldElements(
      decoder: XMLFieldDecoder(Array(elements), of: self, at: path), count: elements.count)
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    guard let parts else { throw error(.invalidType, at: index, expected: "text") }
    return XMLFieldDecoder(parts[index], keys, at: path.appending(.index(index)), in: text)
  }

  func bool(at index: Int) throws -> Bool {
    try read(index, "true or false") { ["true": true, "1": true, "false": false, "0": false][$0] }
  }

  func int64(at index: Int) throws -> Int64 { try read(index, "integer") { Int64($0) } }

  func uint64(at index: Int) throws -> UInt64 { try read(index, "integer") { UInt64($0) } }

  func double(at index: Int) throws -> Double {
    try read(index, "number") { Double($0).flatMap { $0.isFinite ? $0 : nil } }
  }

  func decimal(at index: Int) throws -> Decimal {
    try read(index, "number") {
      try? Decimal($0, format: .number.locale(Locale(identifier: "en_US_POSIX")))
    }
  }

  func string(at index: Int) throws -> String { try read(index, "text") { $0 } }

  func data(at index: Int) throws -> Data {
    try read(index, "Base64 text") { Data(base64Encoded: $0) }
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    try read(index, format.expectation) { format.date($0) }
  }

  var objectPath: FieldPath? { path }

  func field(at index: Int) -> FieldDescription {
    if let parts {
      return FieldDescription(
        path: path.appending(.index(index)), found: "element",
        position: text.position(of: parts[index].offset))
    }
    let value = find(index)
    return FieldDescription(
      path: value?.path ?? path.appending(keys[index].source ?? FieldPath([])),
      found: value.map { FieldContent.string($0.text).summary },
      alternatives: value == nil ? keys[index].alternatives.map { path.appending($0) } : [],
      position: text.position(of: value?.offset ?? element.offset))
  }
}
