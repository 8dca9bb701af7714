public import MohoMapping

/// The tables of a store.
public struct Schema: Sendable, Hashable {
  /// The entities, in the order in which they were declared.
  public let entities: [Entity]

  /// The schema that models declare.
  ///
  /// - Throws: ``MappingError`` where a declaration is not sound,
  ///   ``StoreError`` where two models have the same name.
  public init(_ models: [any MappedModel.Type]) throws {
    entities = try models.map { try Self.entity(of: $0) }
    for entity in entities {
      for attribute in entity.attributes where !attribute.type.isStorable {
        throw StoreError(
          .incompatibleSchema,
          reason:
            "`\(entity.name).\(attribute.name)` holds a nested value (\(attribute.type)), which no column does",
          suggestion: "keep it in a model of its own")
      }
    }
    for (position, entity) in entities.enumerated() {
      let twin = entities[..<position].first { $0.name.lowercased() == entity.name.lowercased() }
      if let twin {
        throw StoreError(
          .incompatibleSchema,
          reason: "`\(twin.name)` and `\(entity.name)` would be one table",
          suggestion: "give one mapping another name")
      }
    }
  }

  /// - Throws: ``StoreError`` where the model is none of the schema's.
  func entity<Model: MappedModel>(of model: Model.Type) throws -> Entity {
    guard let entity = entities.first(where: { $0.name == Model.mapping.name }) else {
      throw StoreError(
        .invalidRequest,
        reason: "the store has no table for `\(Model.mapping.name)`",
        suggestion: "name the model where the store is opened")
    }
    return entity
  }

  private static func entity<Model: MappedModel>(of model: Model.Type) throws -> Entity {
    try Model.mapping.checkDeclaration()
    return Entity(Model.mapping)
  }
}

extension FieldType {
  fileprivate var isStorable: Bool {
    switch self {
    case .object, .array, .dictionary: false
    default: true
    }
  }
}
