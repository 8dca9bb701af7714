import Foundation

/// Structured values, which are `jsonb` columns.
enum StructuredValue {
  /// Whether a JSON text contains an escaped U+0000, which `jsonb` cannot store.
  static func hasNullCharacter(_ json: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index + 5 < json.count {
      guard json[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      if json[index + 1] == UInt8(ascii: "u"),
        json[(index + 2)...(index + 5)].allSatisfy({ $0 == UInt8(ascii: "0") })
      {
        return true
      }
      index += 2
    }
    return false
  }

  /// Returns the text that stores exchange for a structured value: compact, with
  /// sorted members. PostgreSQL's own text has another order and spaces. Returns
  /// nil if the text is not JSON.
  static func canonical(_ json: Data) -> String? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: json) else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}

private enum JSONValue: Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let object = try? value.decode([String: JSONValue].self) {
      self = .object(object)
    } else if let array = try? value.decode([JSONValue].self) {
      self = .array(array)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let unsigned = try? value.decode(UInt64.self) {
      self = .unsigned(unsigned)
    } else {
      // A number has the digits of a double, or those of a decimal.
      let double = try? value.decode(Double.self)
      let decimal = try? value.decode(Decimal.self)
      if let double, decimal.map({ Decimal(string: "\(double)") == $0 }) ?? true {
        self = .double(double)
      } else {
        self = .decimal(try value.decode(Decimal.self))
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .decimal(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
