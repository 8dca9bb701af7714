/// The models that the values of a type are or refer to.
public struct RelatedModels: Sendable {
  /// The type of the models.
  public let model: any MappedModel.Type
  /// Whether a value contains the unique keys of the models and not the models.
  public let isReference: Bool
  /// Whether a value contains any number of models.
  public private(set) var isToMany = false
  /// Whether the order of the models is part of the value.
  public private(set) var isOrdered = false

  /// Describes a value that is a model or refers to one.
  public init(_ model: any MappedModel.Type, isReference: Bool = false) {
    self.model = model
    self.isReference = isReference
  }

  /// Describes a collection of these values.
  public func many(isOrdered: Bool) -> RelatedModels {
    var models = self
    models.isToMany = true
    models.isOrdered = isOrdered
    return models
  }
}

extension RelatedModels: Hashable {
  /// Whether the models and their form are the same.
  public static func == (one: RelatedModels, other: RelatedModels) -> Bool {
    one.model == other.model && one.isReference == other.isReference
      && one.isToMany == other.isToMany && one.isOrdered == other.isOrdered
  }

  /// Hashes the models and their form.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(model))
    hasher.combine(isReference)
    hasher.combine(isToMany)
    hasher.combine(isOrdered)
  }
}
