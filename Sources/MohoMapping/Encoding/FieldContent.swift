public import Foundation

/// A field's value in the neutral form that adapters exchange.
public enum FieldContent: Hashable, Sendable {
  /// No value.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int64(Int64)
  /// An integer without a sign.
  case uint64(UInt64)
  /// A number.
  case double(Double)
  /// An exact decimal number.
  case decimal(Decimal)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// The fields of a nested model, those that were written.
  case object([FieldContent])
  /// The elements of an array.
  case array([FieldContent])
  /// The members of a dictionary.
  case dictionary([String: FieldContent])
}

extension FieldContent {
  /// Whether it holds other contents.
  package var hasStructure: Bool {
    switch self {
    case .object, .array, .dictionary: true
    default: false
    }
  }
}

extension FieldContent: CustomStringConvertible {
  /// The value as messages show it: text in quotes and cut at 80 characters,
  /// dates by ISO 8601, bytes by their number.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): quoted(value)
    case .data(let value): "\(value.count) bytes"
    case .object(let fields): "\(fields)"
    case .array(let elements): "\(elements)"
    case .dictionary(let members):
      "[\(members.sorted { $0.key < $1.key }.map { "\(quoted($0.key)): \($0.value)" }.joined(separator: ", "))]"
    case .date(let value): ISO8601.text(value) ?? "\(value.timeIntervalSince1970) since 1970"
    }
  }
}

extension Mapping {
  /// What a key writes for a value, by its transform if it has one.
  ///
  /// - Parameter path: The path of the object that gets the value, for errors;
  ///   nil where there is no object.
  /// - Throws: ``MappingError`` where the value is not of the key's type or
  ///   cannot be written.
  package func content(
    of value: Any, forKeyAt index: Int, path: FieldPath? = nil
  ) throws -> FieldContent {
    let recorder = FieldRecorder(keys: mappingKeys, path: path)
    do {
      guard let held = fields[index].box(value) else {
        throw MappingError(
          .invalidType, found: "\(type(of: value))", expected: "\(keys[index].type)")
      }
      try fields[index].writeValue(held, recorder, index)
    } catch {
      throw mappingKeys.failure(error, at: index, of: recorder) { value }
    }
    return recorder.contents.first ?? .null
  }
}

extension Mapping {
  /// What a key writes for the default that it declares, or nil without one.
  package func defaultContent(at index: Int) -> FieldContent? {
    guard let value = fields[index].defaultValue else { return nil }
    let recorder = FieldRecorder()
    try? fields[index].writeValue(value, recorder, index)
    return recorder.contents.first
  }
}
