/// A value that is a model, or refers to one: what a relation to one holds.
///
/// Models and references conform, and optionals of them.
public protocol RelatedValue {
  /// The model.
  associatedtype RelatedModel: MappedModel

  /// The value of the model's unique key, or null of nil.
  ///
  /// - Throws: ``MappingError`` where the model has no unique key, or the key
  ///   cannot be written.
  var relatedKey: FieldContent { get throws }
}

/// A collection of models, or of references to them: what a relation to many
/// holds.
public protocol RelatedValues {
  /// The model of the elements.
  associatedtype RelatedElement: MappedModel
}

extension MappedModel {
  /// The value of the model's unique key.
  ///
  /// - Throws: As ``ModelReference/init(to:)``.
  public var relatedKey: FieldContent { get throws { try ModelReference(to: self).key } }
}

extension ModelReference: RelatedValue {
  /// The model that is referred to.
  public typealias RelatedModel = Target

  /// The value of the unique key.
  public var relatedKey: FieldContent { key }
}

extension Optional: RelatedValue where Wrapped: RelatedValue {
  /// That of the wrapped type.
  public typealias RelatedModel = Wrapped.RelatedModel

  /// That of the wrapped value, or null.
  public var relatedKey: FieldContent { get throws { try self?.relatedKey ?? .null } }
}

extension Array: RelatedValues where Element: RelatedValue {
  /// That of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension Set: RelatedValues where Element: RelatedValue {
  /// That of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension LossyArray: RelatedValues where Element: RelatedValue {
  /// That of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension Optional: RelatedValues where Wrapped: RelatedValues {
  /// That of the wrapped type.
  public typealias RelatedElement = Wrapped.RelatedElement
}
