/// A type whose values can be the values of keys.
///
/// These standard types conform: integers of every width, `Double`, `Float`,
/// `Bool`, `String`, `Decimal`, `Date`, `Data`, `UUID`, `URL`, and optionals of
/// them. An enum with raw values only has to declare the conformance:
///
/// ```swift
/// enum EpisodeKind: String, CaseIterable, FieldValue { case free, paid }
/// ```
public protocol FieldValue: Sendable {
  /// The kind of value that is written.
  static var fieldType: FieldType { get }

  /// The form of a value in documents, for descriptions such as JSON Schema.
  static var fieldSchema: FieldSchema { get }

  /// Whether a value can be nil.
  static var isOptionalField: Bool { get }

  /// The models that a value is or refers to, if any.
  static var relatedModels: RelatedModels? { get }

  /// Reads the value of a key.
  ///
  /// - Throws: ``MappingError`` with the value that was found and what was
  ///   expected.
  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self

  /// Writes the value of a key.
  func encode(to encoder: any FieldEncoder, at index: Int) throws

  /// Returns a sample that mappings use to check their declarations, or nil if
  /// the type has no samples.
  static func sample(_ sample: FieldSample) -> Self?
}

extension FieldValue {
  /// The default is false.
  public static var isOptionalField: Bool { false }

  /// The default is nil.
  public static var relatedModels: RelatedModels? { nil }

  /// The default is nil.
  public static func sample(_ sample: FieldSample) -> Self? { nil }
}

/// The kind of value that a key holds. It determines the type of its column in
/// a store.
public enum FieldType: String, Hashable, Sendable {
  /// No value, for a transient property.
  case null
  /// A Boolean value.
  case boolean
  /// An integer in the range of `Int64`.
  case integer
  /// An unsigned integer of 64 bits.
  case unsignedInteger
  /// A double-precision number.
  case double
  /// An exact decimal number.
  case decimal
  /// A string.
  case string
  /// The string of a UUID.
  case uuid
  /// A date.
  case date
  /// Bytes.
  case data
  /// A nested model.
  case object
  /// A reference to a model by its unique key.
  case reference
  /// An array.
  case array
  /// A dictionary.
  case dictionary
}
