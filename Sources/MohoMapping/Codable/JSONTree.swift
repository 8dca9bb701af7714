import Foundation

/// Any JSON in structured text, without the members that only a store contains.
///
/// Its functions and `JSONDecoder` are recursive. Like models, it has at most 128 levels.
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
  /// JSON text; see ``PreservedJSON``.
  case preserved(String)

  init(_ text: String) throws {
    self = try StructuredText.decode(Self.self, from: Data(text.utf8))
  }

  /// Returns an object with the members of two objects, as text.
  static func merging(_ other: String, into text: String) throws -> String {
    try JSONTree(text).merging(JSONTree(other)).text()
  }

  private func merging(_ other: JSONTree) throws -> JSONTree {
    switch (self, other) {
    case (.object(let members), .object(let others)):
      return .object(try members.merging(others) { try $0.merging($1) })
    case (.array(let elements), .array(let others)):
      // Null before another element is padding.
      let common = try zip(elements, others).map { try $0.merging($1) }
      return .array(common + elements.dropFirst(others.count) + others.dropFirst(elements.count))
    case (.preserved, .object), (.preserved, .array), (.preserved, .preserved),
      (.object, .preserved), (.array, .preserved):
      return try expanded.merging(other.expanded)
    case (_, .null): return self
    default: return other
    }
  }

  /// The value of preserved JSON, with members in any order.
  private var expanded: JSONTree {
    get throws {
      guard case .preserved(let text) = self else { return self }
      return try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }
  }

  func text() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
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
    } else if let text = try? value.decode(String.self) {
      self = .string(text)
    } else if decoder.codingPath.count >= NestingDepth.limit {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected at most \(NestingDepth.limit) levels"))
    } else if let elements = try? value.decode([JSONTree].self) {
      self = .array(elements)
    } else if let members = try? decoder.container(keyedBy: AnyCodingKey.self),
      let text = PreservedJSON.text(in: members, of: decoder)
    {
      self = .preserved(text)
    } else {
      let members = try value.decode([String: JSONTree].self)
      let isStored = PreservedJSON.isUsed(with: decoder.userInfo)
      let documented = members.compactMap { name, value -> (String, JSONTree)? in
        (isStored ? StoredMemberName.member(name) : name).map { ($0, value) }
      }
      self = .object(Dictionary(documented) { $1 })
    }
  }

  /// A number with digits that a double does not have.
  private static func decimal(in value: any SingleValueDecodingContainer) -> Decimal? {
    guard let decimal = try? value.decode(Decimal.self),
      let number = try? value.decode(Double.self), "\(decimal)" != "\(Decimal(number))"
    else { return nil }
    return decimal
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let flag): try value.encode(flag)
    case .integer(let integer): try value.encode(integer)
    case .unsigned(let integer): try value.encode(integer)
    case .decimal(let decimal): try value.encode(decimal)
    case .number(let number): try value.encode(number)
    case .string(let text): try value.encode(text)
    case .array(let elements): try value.encode(elements)
    case .object(let members): try value.encode(members)
    case .preserved(let text): try value.encode([PreservedJSON.name: text])
    }
  }
}
