/// A type whose values can be the values of keys.
///
/// Standard types conform: integers of every width, `Double`, `Float`, `Bool`,
/// `String`, `Decimal`, `Date`, `Data`, `UUID`, `URL`, and optionals of them.
/// An enum with raw values conforms by saying so:
///
/// ```swift
/// enum EpisodeKind: String, CaseIterable, FieldValue { case free, paid }
/// ```
public protocol FieldValue: Sendable {
  /// The kind of value that is written.
  static var fieldType: FieldType { get }

  /// Whether a value may be the absence of one.
  static var isOptionalField: Bool { get }

  /// The models that a value is, or refers to, or nil where it is none.
  static var relatedModels: RelatedModels? { get }

  /// Reads the value of a key.
  ///
  /// - Throws: ``MappingError`` with what was found and what was expected.
  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self

  /// Writes the value of a key.
  func encode(to encoder: any FieldEncoder, at index: Int) throws

  /// A value with which a mapping checks its declaration, or nil where the
  /// type has none to offer.
  static func sample(_ sample: FieldSample) -> Self?
}

extension FieldValue {
  /// False: a value is always there.
  public static var isOptionalField: Bool { false }

  /// None.
  public static var relatedModels: RelatedModels? { nil }

  /// None.
  public static func sample(_ sample: FieldSample) -> Self? { nil }
}
