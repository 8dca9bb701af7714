import Foundation

/// The encoded fields of a model in the structure of their paths, for an `Encoder` of
/// any format.
///
/// Encoders accept the elements of an array only in order, but keys can be mapped to
/// elements in any order. So the whole tree precedes the encoding.
// Not a `JSONValue`: a leaf can be an `Encodable` value that the format encodes in its
// own way, such as a date in a property list.
enum EncodableTree {
  case null
  case bool(Bool)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case array([EncodableTree])
  case object([Member])
  /// A value that encodes itself, and the number of levels that contain it.
  case codable(any Encodable, depth: Int)

  /// The greatest number of objects and arrays inside each other. Paths lead through more
  /// levels than there are models, and encoding and releasing each level is recursive.
  static let greatestLevel = 256

  struct Member {
    let name: AnyCodingKey
    var value: EncodableTree
  }

  /// Inserts a value at a path that does not collect, and that does not lead through
  /// another value. The members of objects at the same path are merged. Missing elements
  /// before it are null.
  mutating func insert(_ value: EncodableTree, at path: ArraySlice<FieldPath.Component>) {
    guard let component = path.first else { return merge(value) }
    switch component {
    case .each: return
    case .key(let key):
      var members: [Member] = if case .object(let members) = self { members } else { [] }
      self = .null
      let index = members.firstIndex { $0.name.stringValue.hasSameBytes(as: key) } ?? members.count
      if index == members.count { members.append(Member(name: AnyCodingKey(key), value: .null)) }
      members[index].value.insert(value, at: path.dropFirst())
      self = .object(members)
    case .index(let index):
      var elements: [EncodableTree] = if case .array(let elements) = self { elements } else { [] }
      self = .null
      while elements.count <= index { elements.append(.null) }
      elements[index].insert(value, at: path.dropFirst())
      self = .array(elements)
    }
  }

  /// Whether a path that does not collect leads to a value, which can be null.
  func hasValue(at path: FieldPath) -> Bool {
    var value = self
    for component in path.valuePath.components {
      switch (component, value) {
      case (.key(let name), .object(let members)):
        guard let member = members.first(where: { $0.name.stringValue.hasSameBytes(as: name) })
        else {
          return false
        }
        value = member.value
      case (.index(let index), .array(let elements)) where elements.indices.contains(index):
        value = elements[index]
      default: return false
      }
    }
    return true
  }

  /// Replaces the value, or merges the members of two objects.
  private mutating func merge(_ other: EncodableTree) {
    switch (self, other) {
    case (.object, .null): break
    case (.object, .object(let members)):
      for member in members { insert(member.value, at: [.key(member.name.stringValue)]) }
    default: self = other
    }
  }
}

extension EncodableTree: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for member in members { try container.encode(member.value, forKey: member.name) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .int64(let value): try container.encode(value)
    case .uint64(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .codable(let value, let depth):
      try CodingDepth.within(depth) { try container.encode(value) }
    case .null, .array, .object: try container.encodeNil()
    }
  }
}
