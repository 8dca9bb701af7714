import Foundation

/// Encodes fields to the tree that an `Encoder` of any format encodes.
final class CodableFieldEncoder: FieldEncoder {
  /// What the indices of fields refer to.
  enum Shape {
    case object(FieldKeys)
    /// Elements, with the path of the value in each.
    case array(inside: FieldPath)
    case dictionary([String])
  }

  let shape: Shape
  /// The path of the fields if no other encoder contains them.
  private let origin: FieldPath
  /// The encoder that contains the value, and the index of the value in it.
  private let parent: CodableFieldEncoder?
  private let parentIndex: Int
  /// The number of objects and arrays that contain the value.
  private let level: Int
  /// The nesting level of the model or its parts, from 1.
  private let depth: Int
  private var object = EncodableTree.object([])
  private var parts: [EncodableTree] = []
  /// The encoders of inlined models, by the indices of their keys.
  private(set) var inlined: [Int: CodableFieldEncoder] = [:]
  /// The unknown members in order.
  private var unknown: [(path: FieldPath, value: EncodableTree)] = []

  init(_ shape: Shape, path: FieldPath, depth: Int) {
    self.shape = shape
    origin = path
    parent = nil
    parentIndex = 0
    level = path.components.count
    self.depth = depth
  }

  /// Creates an encoder of a value at an index of another one.
  private init(
    _ shape: Shape, in parent: CodableFieldEncoder, at index: Int, level: Int, depth: Int
  ) {
    self.shape = shape
    origin = FieldPath([])
    self.parent = parent
    parentIndex = index
    self.level = level
    self.depth = depth
  }

  /// The path of the fields from the root.
  // Only errors and unknown members need it.
  private var path: FieldPath { parent?.path(at: parentIndex) ?? origin }

  /// The encoded tree.
  ///
  /// - Throws: ``MappingError`` if the paths of unknown members conflict with keys.
  func finish() throws -> EncodableTree {
    switch shape {
    case .object:
      try insertUnknown()
      return object
    case .array:
      return .array(parts)
    case .dictionary(let names):
      return .object(
        zip(names, parts).map { EncodableTree.Member(name: AnyCodingKey($0), value: $1) })
    }
  }

  func encodeNull(at index: Int) {
    if case .object(let keys) = shape, !keys.keys[index].writesNull(.omit) { return }
    put(.null, at: index)
  }

  func encode(_ value: Bool, at index: Int) { put(.bool(value), at: index) }
  func encode(_ value: Int64, at index: Int) { put(.int64(value), at: index) }
  func encode(_ value: UInt64, at index: Int) { put(.uint64(value), at: index) }
  func encode(_ value: Double, at index: Int) { put(.double(value), at: index) }
  func encode(_ value: String, at index: Int) { put(.string(value), at: index) }

  func encode(_ value: Decimal, at index: Int) throws {
    guard let path = path(at: index) else { return }
    // `JSONEncoder` would write invalid JSON.
    guard value.isFinite else {
      throw MappingError(
        .invalidValue, path: path, found: "number \(value)", expected: "finite number")
    }
    put(.decimal(value), at: index)
  }

  func encode(_ value: Data, at index: Int) {
    put(.string(value.base64EncodedString()), at: index)
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    switch format {
    case .iso8601: try put(ISO8601.text(value), of: value, at: index)
    case .iso8601Date: try put(ISO8601.dayText(value), of: value, at: index)
    case .pattern(let pattern): try put(pattern.text(value), of: value, at: index)
    case .oneOf(let formats):
      // Never empty: the declaration would be invalid.
      if let format = formats.first { try encode(value, format, at: index) }
    case .epochSeconds: put(.double(value.timeIntervalSince1970), at: index)
    case .epochMilliseconds: put(.double(value.millisecondsSince1970), at: index)
    }
  }

  private func put(_ text: String?, of date: Date, at index: Int) throws {
    guard let path = path(at: index) else { return }
    guard let text else {
      throw MappingError(
        .invalidValue, path: path,
        found: "date \(date.timeIntervalSinceReferenceDate) seconds from 2001",
        expected: "date in the years 0 to 9999")
    }
    put(.string(text), at: index)
  }

  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    if case .object(let own) = shape, own.keys[index].isInlined {
      let writer = part(.object(keys))
      try body(writer)
      inlined[index] = writer
      put(writer.object, at: index)
    } else {
      try checkDepth(depth + 1, at: index)
      try put(.object(keys), at: index, depth: depth + 1, body)
    }
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index, "array")
    try put(
      .array(inside: collected(at: index) ?? FieldPath([])), at: index, depth: depth, body)
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard case .object(let keys) = shape, keys.unknownIndex == index else {
      let depth = try depth(ofPartsIn: depth, isPart: hasParts, at: index, "dictionary")
      return try put(.dictionary(names), at: index, depth: depth, body)
    }
    let members = UnknownMembers(of: keys.model, at: keys.keys[index].name, in: path)
    let writer = part(.dictionary(names))
    try body(writer)
    unknown = try zip(names, writer.parts).map { (try members.path($0), $1) }
  }

  func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    if collected(at: index) != nil { throw unsupportedCollecting(at: index) }
    put(.codable(value, depth: depth), at: index)
  }

  /// Whether the fields are elements or members.
  private var hasParts: Bool { if case .object = shape { false } else { true } }

  /// The path of the values in the elements of the array that a field collects.
  private func collected(at index: Int) -> FieldPath? {
    switch shape {
    case .object(let keys): keys.keys[index].source?.elementPath
    case .array(let inside): inside.elementPath
    case .dictionary: nil
    }
  }

  private func put(
    _ shape: Shape, at index: Int, depth: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard let level = level(at: index) else { return }
    guard level < EncodableTree.greatestLevel else {
      let found = if case .array = shape { "array" } else { "object" }
      throw error(
        .tooDeep, at: index, expected: "at most \(EncodableTree.greatestLevel) levels",
        found: found)
    }
    let writer = CodableFieldEncoder(shape, in: self, at: index, level: level, depth: depth)
    try body(writer)
    put(try writer.finish(), at: index)
  }

  /// An encoder of fields at the same path. This encoder can retain it.
  private func part(_ shape: Shape) -> CodableFieldEncoder {
    CodableFieldEncoder(shape, path: path, depth: depth)
  }

  private func put(_ value: EncodableTree, at index: Int) {
    switch shape {
    case .dictionary: parts.append(value)
    case .array(let inside):
      var element = EncodableTree.null
      element.insert(value, at: inside.valuePath.components[...])
      parts.append(element)
    case .object(let keys):
      guard let source = keys.keys[index].source else { return }
      object.insert(value, at: source.valuePath.components[...])
    }
  }

  /// The number of objects and arrays that contain the value of a field; nil if documents do
  /// not contain the key.
  private func level(at index: Int) -> Int? {
    switch shape {
    case .object(let keys):
      keys.keys[index].source.map { level + $0.valueLength }
    case .array(let inside): level + 1 + inside.valueLength
    case .dictionary: level + 1
    }
  }

  /// The path of a field from the root; nil if documents do not contain the key.
  func path(at index: Int) -> FieldPath? {
    switch shape {
    case .object(let keys):
      keys.keys[index].source.map { path.appending($0.valuePath) }
    case .array(let inside): path.appending(.index(index)).appending(inside.valuePath)
    case .dictionary(let names): path.appending(.key(names[index]))
    }
  }
}

extension CodableFieldEncoder {
  /// Inserts the unknown members after the keys of the object.
  private func insertUnknown() throws {
    guard case .object(let own) = shape, let (keys, index, members) = unknownKey else { return }
    for path in nullPaths(of: own, besides: members.map(\.path), in: object) {
      object.insert(.null, at: path.components[...])
    }
    var claims = ClaimedPaths()
    claim(own, in: object, &claims)
    let unknown = UnknownMembers(of: keys.model, at: keys.keys[index].name, in: path)
    for (path, value) in members {
      try unknown.claim(path, in: &claims)
      object.insert(value, at: path.components[...])
    }
  }

  /// The unknown members, and the key of the object that stores them.
  private var unknownKey: (FieldKeys, Int, [(path: FieldPath, value: EncodableTree)])? {
    if case .object(let keys) = shape, let index = keys.unknownIndex, !unknown.isEmpty {
      return (keys, index, unknown)
    }
    return inlined.values.lazy.compactMap(\.unknownKey).first
  }
}
