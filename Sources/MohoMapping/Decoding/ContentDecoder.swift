public import Foundation

/// Decodes fields from values in memory, such as those of a ``FieldRecorder``.
/// Use it to test mappings, field values and transforms.
///
/// Values are not converted: reading an integer from any other value is an
/// error.
public final class ContentDecoder: FieldDecoder {
  private let contents: [FieldContent?]
  private let path: FieldPath
  private let keys: FieldKeys?
  /// The names of the members if the contents are a dictionary.
  private let names: [String]?
  /// Whether objects, arrays and dictionaries can be JSON text, as in a store.
  private let isStored: Bool
  /// The number of levels that contain the values.
  private let depth: Int
  /// Whether the values are elements or members.
  private let hasParts: Bool

  /// The values of store-only keys.
  private(set) public var suppliedValues: SuppliedValues?

  /// The number of values that were read.
  package private(set) var reads = 0

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - contents: The value of each key, or nil if it is absent.
  ///   - path: The path of the object, for errors.
  ///   - keys: The keys whose names errors contain. The default is their
  ///     indexes.
  public convenience init(
    _ contents: [FieldContent?], path: FieldPath = FieldPath([]), keys: FieldKeys? = nil
  ) {
    self.init(contents, path: path, keys: keys, isStored: false, depth: 1)
  }

  /// Creates a decoder of contents that may be stored.
  package convenience init(
    stored contents: [FieldContent?], path: FieldPath = FieldPath([]), keys: FieldKeys? = nil
  ) {
    self.init(contents, path: path, keys: keys, isStored: true, depth: 1)
  }

  /// Creates a decoder of an object that has only supplied values.
  convenience init(supplied: SuppliedValues) {
    self.init([], path: FieldPath([]), keys: nil, isStored: false, depth: 1)
    suppliedValues = supplied
  }

  private init(
    _ contents: [FieldContent?], path: FieldPath, keys: FieldKeys?, names: [String]? = nil,
    isStored: Bool, depth: Int, hasParts: Bool = false
  ) {
    self.depth = depth
    self.hasParts = hasParts
    self.contents = contents
    self.path = path
    self.keys = keys
    self.names = names
    self.isStored = isStored
  }

  /// Returns a decoder of a value that is stored as JSON text, at index 0.
  private func text(at index: Int) -> (any FieldDecoder)? {
    guard isStored, case .string(let text) = content(at: index) else { return nil }
    return StructuredText.decoder(
      of: text, at: path(to: index), dividedBy: keys?.division(at: index), depth: depth)
  }

  private func path(to index: Int) -> FieldPath {
    if let names, names.indices.contains(index) { return path.appending(.key(names[index])) }
    guard let keys, keys.keys.indices.contains(index) else { return path.appending(.index(index)) }
    return path.appending(.key(keys.keys[index].name))
  }

  private func content(at index: Int) -> FieldContent? {
    contents.indices.contains(index) ? contents[index] : nil
  }

  private func read<Value>(
    _ index: Int, _ expected: String, _ value: (FieldContent) -> Value?
  ) throws -> Value {
    reads += 1
    guard let content = content(at: index) else {
      throw error(.missingValue, at: index, expected: expected)
    }
    guard let value = value(content) else {
      throw error(
        content == .null ? .unexpectedNull : .invalidType, at: index, expected: expected)
    }
    return value
  }

  /// Whether there is no value.
  public func isAbsent(at index: Int) -> Bool { content(at: index) == nil }

  /// Whether the value is null or absent.
  public func isNull(at index: Int) -> Bool { (content(at: index) ?? .null) == .null }

  /// Reads a Boolean value.
  public func bool(at index: Int) throws -> Bool {
    try read(index, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  /// Reads an integer.
  public func int64(at index: Int) throws -> Int64 {
    try read(index, "integer") { if case .int64(let value) = $0 { value } else { nil } }
  }

  /// Reads an unsigned integer.
  public func uint64(at index: Int) throws -> UInt64 {
    try read(index, "integer") { content in
      switch content {
      case .uint64(let value): value
      case .int64(let value): UInt64(exactly: value)
      default: nil
      }
    }
  }

  /// Reads a number.
  public func double(at index: Int) throws -> Double {
    try read(index, "number") { if case .double(let value) = $0 { value } else { nil } }
  }

  /// Reads an exact decimal number.
  public func decimal(at index: Int) throws -> Decimal {
    try read(index, "number") { if case .decimal(let value) = $0 { value } else { nil } }
  }

  /// Reads a string.
  public func string(at index: Int) throws -> String {
    try read(index, "string") { if case .string(let value) = $0 { value } else { nil } }
  }

  /// Reads bytes.
  public func data(at index: Int) throws -> Data {
    try read(index, "bytes") { if case .data(let value) = $0 { value } else { nil } }
  }

  /// Reads a date.
  public func date(at index: Int, _ format: DateFormat) throws -> Date {
    try read(index, format.expectation) { if case .date(let value) = $0 { value } else { nil } }
  }

  /// Returns a decoder of the fields of a nested model.
  public func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    if let text = text(at: index) { return try text.object(at: 0, keys: keys) }
    try checkDepth(depth + 1, at: index)
    return try read(index, "object") { content in
      guard case .object(let fields) = content else { return nil }
      var rest = fields[...]
      let contents = keys.keys.map { $0.isTransient ? nil : rest.popFirst() }
      return ContentDecoder(
        contents, path: path(to: index), keys: keys, isStored: isStored, depth: depth + 1)
    }
  }

  /// Returns a decoder of the elements of an array.
  public func array(at index: Int) throws -> FieldElements {
    if let text = text(at: index) { return try text.array(at: 0) }
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index)
    return try read(index, "array") { content in
      guard case .array(let elements) = content else { return nil }
      let decoder = ContentDecoder(
        elements, path: path(to: index), keys: nil, isStored: isStored, depth: depth,
        hasParts: true)
      return FieldElements(decoder: decoder, count: elements.count)
    }
  }

  /// Returns a decoder of the members of a dictionary, sorted by name.
  public func dictionary(at index: Int) throws -> FieldMembers {
    // The type of the key preserves the order of members.
    if let keys, keys.keys[index].type == .string, case .string = content(at: index) {
      throw error(.unsupported, at: index, expected: "flat value", found: "dictionary")
    }
    if let text = text(at: index) { return try text.dictionary(at: 0) }
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index)
    return try read(index, "dictionary") { content in
      guard case .dictionary(let members) = content else { return nil }
      let sorted = members.sorted { $0.key < $1.key }
      let decoder = ContentDecoder(
        sorted.map(\.value), path: path(to: index), keys: nil, names: sorted.map(\.key),
        isStored: isStored, depth: depth, hasParts: true)
      return FieldMembers(decoder: decoder, names: sorted.map(\.key))
    }
  }

  /// Reads a value with its own `Codable` conformance from JSON text.
  public func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    try codable(type, at: index, json: Data(string(at: index).utf8), isStored: true, depth: depth)
  }

  /// The path of the object.
  public var objectPath: FieldPath? { path }

  /// Describes a value.
  public func field(at index: Int) -> FieldDescription {
    FieldDescription(
      path: path(to: index), found: content(at: index)?.summary)
  }
}
