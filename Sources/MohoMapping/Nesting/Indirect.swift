/// A value that is stored outside of its model, so that a struct can contain itself.
///
/// ```swift
/// struct Status: MappedModel {
///   var id: Int
///   @Indirect var boost: Status?
///
///   static let mapping = Mapping(
///     "Status", Status.init, .key("id", \.id, .unique), .key("boost", \.boost, json: "reblog"))
/// }
/// ```
///
/// The declaration, the initializer and the other code use the property as if it were not
/// wrapped. As a type, `Indirect<Status>` has the forms of its value, so that a key can be
/// an `Indirect<Status>?` too.
///
/// A copy of a model shares the value, and assigning to the property replaces it. At most
/// 128 models can be nested in documents and rows.
@propertyWrapper
public struct Indirect<Value> {
  private var storage: Storage<Value>

  /// The value.
  public var wrappedValue: Value {
    get { storage.value }
    set { storage = Storage(newValue) }
  }

  /// Creates a value.
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }

  /// Creates a value.
  public init(_ value: Value) { storage = Storage(value) }
}

// An instance that never changes, so that copies can share it.
private final class Storage<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension Storage: Sendable where Value: Sendable {}

extension Indirect: Sendable where Value: Sendable {}

extension Indirect: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one.wrappedValue == other.wrappedValue
  }
}

extension Indirect: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Indirect: Decodable where Value: Decodable {
  /// Decodes the value.
  public init(from decoder: any Decoder) throws { try self.init(Value(from: decoder)) }
}

extension Indirect: Encodable where Value: Encodable {
  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension Indirect: CustomStringConvertible {
  /// The description of the value.
  public var description: String { "\(wrappedValue)" }
}

extension Indirect: FieldValue where Value: FieldValue {
  /// The type of the value.
  public static var fieldType: FieldType { Value.fieldType }

  /// The schema of the value.
  public static var fieldSchema: FieldSchema { Value.fieldSchema }

  /// Whether the value can be nil.
  public static var isOptionalField: Bool { Value.isOptionalField }

  /// The related models of the value.
  public static var relatedModels: RelatedModels? { Value.relatedModels }

  /// Reads the value.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Indirect {
    try Indirect(Value.decode(from: decoder, at: index))
  }

  /// Writes the value.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try wrappedValue.encode(to: encoder, at: index)
  }

  /// A sample of the value.
  public static func sample(_ sample: FieldSample) -> Indirect? {
    Value.sample(sample).map { Indirect($0) }
  }
}

extension Indirect: RelatedValue where Value: RelatedValue {
  /// The related model of the value.
  public typealias RelatedModel = Value.RelatedModel

  /// The key of the value.
  public var relatedKey: FieldContent { get throws { try wrappedValue.relatedKey } }
}
