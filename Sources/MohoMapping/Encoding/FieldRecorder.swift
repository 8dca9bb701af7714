public import Foundation

/// An encoder that records what is written to it. Use it to compare values and
/// to convert values to the arguments of a request.
public final class FieldRecorder: FieldEncoder {
  /// The recorded values, in the order of writing.
  public private(set) var contents: [FieldContent] = []

  /// What the indexes of the fields mean.
  private enum Shape {
    case object(FieldKeys)
    case array
    case dictionary([String])
  }

  private let shape: Shape
  /// The path of the whole value, or nil if it is not part of an object.
  private let root: FieldPath?
  /// The recorder that contains this one, and the index in it.
  private let parent: FieldRecorder?
  private let parentIndex: Int
  /// The number of levels that contain the values.
  private let depth: Int

  /// Creates an empty recorder.
  public convenience init() { self.init(keys: nil, path: nil) }

  /// Creates an empty recorder of an object.
  ///
  /// - Parameters:
  ///   - keys: The keys of the object.
  ///   - path: The path of the object, or nil if errors have no paths.
  package convenience init(keys: FieldKeys?, path: FieldPath?) {
    self.init(keys.map { .object($0) } ?? .array, path, in: nil, at: 0, depth: 1)
  }

  private init(
    _ shape: Shape, _ root: FieldPath?, in parent: FieldRecorder?, at parentIndex: Int, depth: Int
  ) {
    self.depth = depth
    self.shape = shape
    self.root = root
    self.parent = parent
    self.parentIndex = parentIndex
  }

  /// Returns what a value writes.
  public static func content<Value: FieldValue>(of value: Value) throws -> FieldContent {
    let recorder = FieldRecorder()
    try value.encode(to: recorder, at: 0)
    return recorder.contents.first ?? .null
  }

  /// Returns what a value writes.
  ///
  /// - Parameter path: The path of the value, for errors.
  package static func content<Value: FieldValue>(
    of value: Value, at path: FieldPath
  ) throws -> FieldContent {
    let recorder = FieldRecorder(keys: nil, path: FieldPath([]))
    do {
      try value.encode(to: recorder, at: 0)
    } catch {
      let failure = recorder.failure(error, at: 0) { value }
      throw (failure as? MappingError)?.inside(path, dropping: 1) ?? failure
    }
    return recorder.contents.first ?? .null
  }

  /// The path of a value, or nil if the recorder was created without a path.
  public func path(at index: Int) -> FieldPath? {
    guard let path = root ?? parent?.path(at: parentIndex) else { return nil }
    switch shape {
    case .object(let keys): return path.appending(.key(keys.keys[index].name))
    case .array: return path.appending(.index(index))
    case .dictionary(let names): return path.appending(.key(names[index]))
    }
  }

  /// Records null.
  public func encodeNull(at index: Int) { contents.append(.null) }
  /// Records a Boolean value.
  public func encode(_ value: Bool, at index: Int) { contents.append(.bool(value)) }
  /// Records an integer.
  public func encode(_ value: Int64, at index: Int) { contents.append(.int64(value)) }
  /// Records an unsigned integer.
  public func encode(_ value: UInt64, at index: Int) { contents.append(.uint64(value)) }
  /// Records a number.
  public func encode(_ value: Double, at index: Int) { contents.append(.double(value)) }
  /// Records an exact decimal number.
  public func encode(_ value: Decimal, at index: Int) { contents.append(.decimal(value)) }
  /// Records a string.
  public func encode(_ value: String, at index: Int) { contents.append(.string(value)) }
  /// Records bytes.
  public func encode(_ value: Data, at index: Int) { contents.append(.data(value)) }
  /// Records a date.
  public func encode(_ value: Date, _ format: DateFormat, at index: Int) {
    contents.append(.date(value))
  }
  /// Records a value with its own `Codable` conformance as JSON text.
  public func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    try encode(codable: value, at: index, depth: depth)
  }
  /// Records the fields of a nested model.
  public func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try checkDepth(depth + 1, at: index)
    contents.append(.object(try record(.object(keys), at: index, depth: depth + 1, body)))
  }
  /// Records the elements of an array.
  public func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index, "array")
    contents.append(.array(try record(.array, at: index, depth: depth, body)))
  }
  /// Records the members of a dictionary.
  ///
  /// - Throws: ``MappingError`` with code `unsupported` for unknown members whose type
  ///   preserves their order. They are written as a `Codable` value.
  public func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    if case .object(let keys) = shape, keys.unknownIndex == index,
      keys.keys[index].type == .string
    {
      throw error(.unsupported, at: index, expected: "flat value", found: "dictionary")
    }
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index, "dictionary")
    let members = zip(names, try record(.dictionary(names), at: index, depth: depth, body))
    contents.append(.dictionary(Dictionary(members) { $1 }))
  }

  /// Sorts the elements of the array that was recorded last by their contents.
  func sortLastElements() {
    guard case .array(let elements)? = contents.last else { return }
    contents[contents.count - 1] = .array(elements.sorted { $0.precedes($1) })
  }

  /// Whether the values are elements or members.
  private var hasParts: Bool {
    if parent == nil { return false }
    if case .object = shape { return false }
    return true
  }

  private func record(
    _ shape: Shape, at index: Int, depth: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws -> [FieldContent] {
    let recorder = FieldRecorder(shape, nil, in: self, at: index, depth: depth)
    try body(recorder)
    return recorder.contents
  }
}
