package import Foundation
import MohoMapping

/// The members of objects come by ascending name: decoders do not tell their
/// order. Numbers that neither 64 bits nor a double hold are those of `Decimal`:
/// of up to 38 digits.
extension JSONValue: Codable {
  /// Reads any value that JSON has.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberName.self) {
      self = .object(
        try members.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
          Member(name.stringValue, try members.decode(JSONValue.self, forKey: name))
        })
    } else if var elements = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
      self = .array(values)
    } else {
      try self.init(scalar: decoder.singleValueContainer())
    }
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
      // What a decimal cannot hold, decoders make anything of: the double tells.
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

  /// Writes the value in the encoder's format.
  ///
  /// - Throws: `EncodingError` about a number that neither 64 bits, a double nor a
  ///   `Decimal` hold, and what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberName.self)
      for member in members {
        try container.encode(member.value, forKey: MemberName(stringValue: member.key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch self {
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .exact(let number):
      guard let decimal = number.decimal else {
        throw EncodingError.invalidValue(
          number,
          EncodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "number of more than 38 digits, or of another size"))
      }
      try container.encode(decimal)
    case .string(let value): try container.encode(value)
    case .null, .array, .object: try container.encodeNil()
    }
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONValue: AnyJSON {
  package init(json: Data) throws { self = try JSONDocument(parsing: json).value() ?? .null }

  package func json() throws -> Data { try data() }
}
