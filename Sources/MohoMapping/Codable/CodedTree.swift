import Foundation

/// What a model writes, in the shape of its paths, for an `Encoder` of any
/// format.
///
/// Encoders take the elements of an array in order only, and keys may be mapped
/// to elements in any: so the whole is made first.
enum CodedTree {
  case null
  case bool(Bool)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case array([CodedTree])
  case object([Member])
  /// A value that writes itself.
  case codable(any Encodable)

  struct Member {
    let name: CodedName
    var value: CodedTree
  }

  /// Puts a value at a path that does not collect, and which no other value's
  /// leads through, but for objects, whose members come together. Elements
  /// before it that are not there are null.
  mutating func insert(_ value: CodedTree, at path: ArraySlice<FieldPath.Component>) {
    guard let component = path.first else { return merge(value) }
    switch component {
    case .each: return
    case .key(let key):
      var members: [Member] = if case .object(let members) = self { members } else { [] }
      self = .null
      let index = members.firstIndex { $0.name.stringValue == key } ?? members.count
      if index == members.count { members.append(Member(name: CodedName(key), value: .null)) }
      members[index].value.insert(value, at: path.dropFirst())
      self = .object(members)
    case .index(let index):
      var elements: [CodedTree] = if case .array(let elements) = self { elements } else { [] }
      self = .null
      while elements.count <= index { elements.append(.null) }
      elements[index].insert(value, at: path.dropFirst())
      self = .array(elements)
    }
  }

  /// Takes another value's place for it, or its members among its own.
  private mutating func merge(_ other: CodedTree) {
    switch (self, other) {
    case (.object, .null): break
    case (.object, .object(let members)):
      for member in members { insert(member.value, at: [.key(member.name.stringValue)]) }
    default: self = other
    }
  }
}

extension CodedTree: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let members):
      var container = encoder.container(keyedBy: CodedName.self)
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
    case .codable(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }
}
