/// The value of a to-one relation: a model, a reference, or an optional of
/// either.
public protocol RelatedValue {
  /// The model.
  associatedtype RelatedModel: MappedModel

  /// The value of the model's unique key, or null for nil.
  ///
  /// - Throws: ``MappingError`` if the model has no unique key, or if the key
  ///   cannot be written.
  var relatedKey: FieldContent { get throws }
}

/// The value of a to-many relation: a collection of models or references.
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
  /// The target.
  public typealias RelatedModel = Target

  /// The value of the unique key.
  public var relatedKey: FieldContent { key }
}

extension Optional: RelatedValue where Wrapped: RelatedValue {
  /// The related model of the wrapped type.
  public typealias RelatedModel = Wrapped.RelatedModel

  /// The key of the wrapped value, or null.
  public var relatedKey: FieldContent { get throws { try self?.relatedKey ?? .null } }
}

extension Array: RelatedValues where Element: RelatedValue {
  /// The related model of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension Set: RelatedValues where Element: RelatedValue {
  /// The related model of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension LossyArray: RelatedValues where Element: RelatedValue {
  /// The related model of the elements.
  public typealias RelatedElement = Element.RelatedModel
}

extension Optional: RelatedValues where Wrapped: RelatedValues {
  /// The related model of the wrapped type.
  public typealias RelatedElement = Wrapped.RelatedElement
}
