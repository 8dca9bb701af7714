/// The limit on the levels of values that coders of any format decode and encode.
package enum CodedLevels {
  /// The coders of Foundation accept 512 levels of JSON. They take up to 1.7 KB of the
  /// stack for each level, and the stack of a secondary thread can be as small as 512 KB.
  package static let limit = 256
}

/// A value whose parts have its own type, in the structure of coders.
///
/// The functions of this protocol are not recursive. With recursion, each level would
/// take several kilobytes of the stack in addition.
package protocol CodedTree {
  /// The elements or members; ``TreeParts/none`` for other values.
  var treeParts: TreeParts<Self> { get }

  /// Encodes a value without parts.
  func encodeScalar(to container: inout any SingleValueEncodingContainer) throws
}

/// A ``CodedTree`` that coders can also decode.
package protocol DecodedTree: CodedTree {
  /// Creates an array or object.
  init(treeParts: TreeParts<Self>)

  /// Decodes a value without parts.
  init(scalar container: any SingleValueDecodingContainer) throws
}

/// The parts of a ``CodedTree``.
package enum TreeParts<Tree> {
  case none
  case elements([Tree])
  case members([TreeMember<Tree>])
}

/// A member of an object.
package struct TreeMember<Tree> {
  package let name: String
  package var value: Tree

  package init(name: String, value: Tree) {
    self.name = name
    self.value = value
  }
}

extension CodedTree {
  /// The kind of the value, for errors.
  private var summary: String {
    switch treeParts {
    case .none: "value"
    case .elements: "array"
    case .members: "object"
    }
  }

  /// Encodes the value with its parts, in order.
  ///
  /// - Parameter greatestLevel: The greatest number of levels, including those of the
  ///   encoder.
  package func encodeTree(to encoder: any Encoder, greatestLevel: Int = .max) throws {
    func tooDeep(_ tree: Self, _ path: [any CodingKey]) -> EncodingError {
      .invalidValue(
        tree.summary,
        EncodingError.Context(
          codingPath: path, debugDescription: "expected at most \(greatestLevel) levels"))
    }
    let outer = greatestLevel == .max ? 0 : encoder.codingPath.count
    guard outer < greatestLevel else { throw tooDeep(self, encoder.codingPath) }
    guard let root = EncodedParts(treeParts, in: encoder) else {
      var container = encoder.singleValueContainer()
      return try encodeScalar(to: &container)
    }
    var open = [root]
    while !open.isEmpty {
      let last = open.count - 1
      guard let next = open[last].next() else {
        open.removeLast()
        continue
      }
      guard outer + open.count < greatestLevel else {
        throw tooDeep(next.value, open[last].codingPath)
      }
      if let parts = try open[last].encode(next) { open.append(parts) }
    }
  }
}

/// An array or object that is being encoded.
private struct EncodedParts<Tree: CodedTree> {
  private enum Rest {
    case elements(any UnkeyedEncodingContainer, ArraySlice<Tree>)
    case members(KeyedEncodingContainer<AnyCodingKey>, ArraySlice<TreeMember<Tree>>)
  }

  private var rest: Rest

  init?(_ parts: TreeParts<Tree>, in encoder: any Encoder) {
    switch parts {
    case .none: return nil
    case .elements(let elements): rest = .elements(encoder.unkeyedContainer(), elements[...])
    case .members(let members):
      rest = .members(encoder.container(keyedBy: AnyCodingKey.self), members[...])
    }
  }

  private init(_ rest: Rest) { self.rest = rest }

  var codingPath: [any CodingKey] {
    switch rest {
    case .elements(let container, _): container.codingPath
    case .members(let container, _): container.codingPath
    }
  }

  mutating func next() -> TreeMember<Tree>? {
    switch rest {
    case .elements(let container, var elements):
      guard let element = elements.popFirst() else { return nil }
      rest = .elements(container, elements)
      return TreeMember(name: "", value: element)
    case .members(let container, var members):
      guard let member = members.popFirst() else { return nil }
      rest = .members(container, members)
      return member
    }
  }

  /// Encodes a value without parts, or returns the parts, which have not been encoded.
  mutating func encode(_ next: TreeMember<Tree>) throws -> EncodedParts? {
    switch rest {
    case .elements(var container, let others):
      defer { rest = .elements(container, others) }
      switch next.value.treeParts {
      case .none:
        try container.encode(Scalar(tree: next.value))
        return nil
      case .elements(let elements):
        return EncodedParts(.elements(container.nestedUnkeyedContainer(), elements[...]))
      case .members(let members):
        return EncodedParts(
          .members(container.nestedContainer(keyedBy: AnyCodingKey.self), members[...]))
      }
    case .members(var container, let others):
      defer { rest = .members(container, others) }
      let name = AnyCodingKey(next.name)
      switch next.value.treeParts {
      case .none:
        try container.encode(Scalar(tree: next.value), forKey: name)
        return nil
      case .elements(let elements):
        return EncodedParts(
          .elements(container.nestedUnkeyedContainer(forKey: name), elements[...]))
      case .members(let members):
        return EncodedParts(
          .members(
            container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: name), members[...]))
      }
    }
  }

  private struct Scalar: Encodable {
    let tree: Tree

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try tree.encodeScalar(to: &container)
    }
  }
}

extension DecodedTree {
  /// Decodes a value with its parts. The members of objects are sorted by the bytes of
  /// their names, because decoders do not preserve order.
  ///
  /// - Parameter greatestLevel: The greatest number of levels, including those of the
  ///   decoder.
  package init(treeFrom decoder: any Decoder, greatestLevel: Int = .max) throws {
    let outer = greatestLevel == .max ? 0 : decoder.codingPath.count
    var open: [DecodedParts<Self>] = []
    var next = decoder
    while true {
      if let parts = DecodedParts<Self>(next) {
        guard outer + open.count < greatestLevel else {
          throw DecodingError.dataCorrupted(
            DecodingError.Context(
              codingPath: next.codingPath,
              debugDescription: "expected at most \(greatestLevel) levels"))
        }
        open.append(parts)
      } else {
        let value = try Self(scalar: next.singleValueContainer())
        guard !open.isEmpty else {
          self = value
          return
        }
        open[open.count - 1].append(value)
      }
      // End the arrays and objects that have no further parts.
      while true {
        if let part = try open[open.count - 1].next() {
          next = part
          break
        }
        let value = Self(treeParts: open.removeLast().parts)
        guard !open.isEmpty else {
          self = value
          return
        }
        open[open.count - 1].append(value)
      }
    }
  }
}

/// An array or object that is being decoded.
private struct DecodedParts<Tree> {
  private enum Rest {
    case elements(any UnkeyedDecodingContainer)
    case members(KeyedDecodingContainer<AnyCodingKey>)
  }

  private var rest: Rest
  private var names: [String] = []
  private var values: [Tree] = []

  /// Nil if a value is neither an array nor an object.
  init?(_ decoder: any Decoder) {
    if let members = try? decoder.container(keyedBy: AnyCodingKey.self) {
      rest = .members(members)
      names = members.allKeys.map(\.stringValue).sorted {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    } else if let elements = try? decoder.unkeyedContainer() {
      rest = .elements(elements)
    } else {
      return nil
    }
  }

  /// The decoder of the next part; nil at the end.
  mutating func next() throws -> (any Decoder)? {
    switch rest {
    case .elements(var elements):
      guard !elements.isAtEnd else { return nil }
      defer { rest = .elements(elements) }
      return try elements.superDecoder()
    case .members(let members):
      guard values.count < names.count else { return nil }
      return try members.superDecoder(forKey: AnyCodingKey(names[values.count]))
    }
  }

  mutating func append(_ value: Tree) { values.append(value) }

  var parts: TreeParts<Tree> {
    switch rest {
    case .elements: .elements(values)
    case .members: .members(zip(names, values).map { TreeMember(name: $0, value: $1) })
    }
  }
}
