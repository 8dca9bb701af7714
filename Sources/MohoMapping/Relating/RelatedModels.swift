/// The models that a value of a key's type is, or refers to.
public struct RelatedModels: Sendable {
  /// Their type.
  public let model: any MappedModel.Type
  /// Whether a value holds their unique keys, not the models.
  public let isReference: Bool
  /// Whether a value holds any number of them.
  public private(set) var isToMany = false
  /// Whether their order is part of the value.
  public private(set) var isOrdered = false

  /// Makes the one model that a value is or refers to.
  public init(_ model: any MappedModel.Type, isReference: Bool = false) {
    self.model = model
    self.isReference = isReference
  }

  /// Any number of these models.
  public func many(isOrdered: Bool) -> RelatedModels {
    var models = self
    models.isToMany = true
    models.isOrdered = isOrdered
    return models
  }
}

extension RelatedModels: Hashable {
  /// Whether both are the same models in the same form.
  public static func == (one: RelatedModels, other: RelatedModels) -> Bool {
    one.model == other.model && one.isReference == other.isReference
      && one.isToMany == other.isToMany && one.isOrdered == other.isOrdered
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(model))
    hasher.combine(isReference)
    hasher.combine(isToMany)
    hasher.combine(isOrdered)
  }
}
