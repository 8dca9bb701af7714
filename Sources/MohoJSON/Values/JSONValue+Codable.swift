package import Foundation
package import MohoMapping

/// Decoded objects have sorted members, because decoders do not preserve order. Numbers
/// that neither 64 bits nor a double represent are those of `Decimal`.
/// Values of more than 256 levels are an error, because coders are recursive.
extension JSONValue: Codable {
  /// Decodes any JSON value.
  public init(from decoder: any Decoder) throws {
    try self.init(treeFrom: decoder, greatestLevel: CodedLevels.limit)
  }

  /// Encodes the value in the encoder's format.
  ///
  /// - Throws: `EncodingError` for a number that neither 64 bits, a double nor a `Decimal`
  ///   represents, and for more than 256 levels; what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try encodeTree(to: encoder, greatestLevel: CodedLevels.limit)
  }
}

extension JSONValue: DecodedTree {
  package init(treeParts: TreeParts<JSONValue>) {
    switch treeParts {
    case .none: self = .null
    case .elements(let elements): self = .array(elements)
    case .members(let members): self = .object(members.map { Member($0.name, $0.value) })
    }
  }

  package var treeParts: TreeParts<JSONValue> {
    switch self {
    case .array(let elements): .elements(Array(elements))
    case .object(let members):
      .members(members.map { TreeMember(name: $0.key, value: $0.value) })
    default: .none
    }
  }

  package init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
      // Decoders produce any decimal for a number out of its range, so it is compared
      // with the double.
      if let decimal = try? container.decode(Decimal.self), let exact = NumberText("\(decimal)"),
        exact.double == value, NumberText("\(value)")?.isEqual(to: exact) == false,
        let number = JSONNumber(exact.text)
      {
        self = .exact(number)
      }
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  package func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch withStoredNumber {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .exact(let number):
      guard let decimal = number.decimal else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "number that `Decimal` cannot represent"))
      }
      try container.encode(decimal)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }
}

extension JSONValue: AnyJSON {
  package init(json: Data) throws { self = try JSONDocument(parsing: json).value() ?? .null }

  package func storedJSON() throws -> Data {
    var writer = ValueWriter(formatting: .compact, depth: 0, isStored: true)
    try writer.append(self)
    return Data(writer.text.bytes)
  }
}
