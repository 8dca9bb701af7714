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
  /// - Throws: ``MappingError`` where the value is not of the key's type or
  ///   cannot be written.
  package func content(of value: Any, forKeyAt index: Int) throws -> FieldContent {
    let recorder = FieldRecorder()
    do {
      guard let held = fields[index].hold(value) else {
        throw MappingError(
          .invalidType, found: "\(type(of: value))", expected: "\(keys[index].type)")
      }
      try fields[index].writeValue(held, recorder, index)
    } catch let error as MappingError {
      throw error.naming(model: name, key: keys[index].name)
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

/// An encoder that keeps what is written to it, for comparisons and for values
/// that become arguments of a request.
public final class FieldRecorder: FieldEncoder {
  /// What was written, in the order of writing.
  public private(set) var contents: [FieldContent] = []

  /// How many models the values are nested in.
  private let depth: Int

  /// Makes an empty recorder.
  public init() { depth = 1 }

  private init(depth: Int) { self.depth = depth }

  /// What one value writes.
  public static func content<Value: FieldValue>(of value: Value) throws -> FieldContent {
    let recorder = FieldRecorder()
    try value.encode(to: recorder, at: 0)
    return recorder.contents.first ?? .null
  }

  /// Records the absence of a value.
  public func encodeNull(at index: Int) { contents.append(.null) }
  /// Records a truth value.
  public func encode(_ value: Bool, at index: Int) { contents.append(.bool(value)) }
  /// Records an integer.
  public func encode(_ value: Int64, at index: Int) { contents.append(.int64(value)) }
  /// Records an integer without a sign.
  public func encode(_ value: UInt64, at index: Int) { contents.append(.uint64(value)) }
  /// Records a number.
  public func encode(_ value: Double, at index: Int) { contents.append(.double(value)) }
  /// Records an exact decimal number.
  public func encode(_ value: Decimal, at index: Int) { contents.append(.decimal(value)) }
  /// Records text.
  public func encode(_ value: String, at index: Int) { contents.append(.string(value)) }
  /// Records bytes.
  public func encode(_ value: Data, at index: Int) { contents.append(.data(value)) }
  /// Records a date.
  public func encode(_ value: Date, _ format: DateFormat, at index: Int) {
    contents.append(.date(value))
  }
  /// Records the fields of a nested model.
  public func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try checkDepth(depth + 1, at: index)
    contents.append(.object(try record(body, depth: depth + 1)))
  }
  /// Records the elements of an array.
  public func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    contents.append(.array(try record(body, depth: depth)))
  }
  /// Records the members of a dictionary.
  public func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let members = zip(names, try record(body, depth: depth))
    contents.append(.dictionary(Dictionary(members) { $1 }))
  }

  private func record(
    _ body: (any FieldEncoder) throws -> Void, depth: Int
  ) throws -> [FieldContent] {
    let recorder = FieldRecorder(depth: depth)
    try body(recorder)
    return recorder.contents
  }
}
