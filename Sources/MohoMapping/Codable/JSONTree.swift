import Foundation

/// Any JSON, without the members that only a store contains.
enum JSONTree: Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case decimal(Decimal)
  case number(Double)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  init(_ text: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
  }

  /// Returns an object with the members of two objects, as text.
  static func merging(_ other: String, into text: String) throws -> String {
    try JSONTree(text).merging(JSONTree(other)).text()
  }

  // Bounded: `JSONDecoder` limits the depth.
  private func merging(_ other: JSONTree) -> JSONTree {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      return .object(members.merging(others) { $0.merging($1) })
    case (.array(let elements), .array(let others)):
      // Null before another element is padding.
      let common = zip(elements, others).map { $0.merging($1) }
      return .array(common + elements.dropFirst(others.count) + others.dropFirst(elements.count))
    case (_, .null): return self
    default: return other
    }
  }

  func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  init(from decoder: any Decoder) throws { try self.init(treeFrom: decoder) }

  func encode(to encoder: any Encoder) throws { try encodeTree(to: encoder) }
}

extension JSONTree: DecodedTree {
  init(treeParts: TreeParts<JSONTree>) {
    switch treeParts {
    case .none: self = .null
    case .elements(let elements): self = .array(elements)
    case .members(let members):
      let known = members.lazy.filter { !FieldPath([.key($0.name)]).isStoreOnly }
      self = .object(Dictionary(known.map { ($0.name, $0.value) }) { $1 })
    }
  }

  var treeParts: TreeParts<JSONTree> {
    switch self {
    case .array(let elements): .elements(elements)
    case .object(let members): .members(members.map { TreeMember(name: $0.key, value: $0.value) })
    default: .none
    }
  }

  init(scalar value: any SingleValueDecodingContainer) throws {
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let integer = try? value.decode(UInt64.self) {
      self = .unsigned(integer)
    } else if let decimal = Self.decimal(in: value) {
      self = .decimal(decimal)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      self = .string(try value.decode(String.self))
    }
  }

  /// A number with digits that a double does not have.
  private static func decimal(in value: any SingleValueDecodingContainer) -> Decimal? {
    guard let decimal = try? value.decode(Decimal.self),
      let number = try? value.decode(Double.self), "\(decimal)" != "\(Decimal(number))"
    else { return nil }
    return decimal
  }

  func encodeScalar(to value: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let flag): try value.encode(flag)
    case .integer(let integer): try value.encode(integer)
    case .unsigned(let integer): try value.encode(integer)
    case .decimal(let decimal): try value.encode(decimal)
    case .number(let number): try value.encode(number)
    case .string(let text): try value.encode(text)
    case .null, .array, .object: try value.encodeNil()
    }
  }
}
