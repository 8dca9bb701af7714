public import MohoMapping

/// The entities of a store and their relationships.
public struct Schema: Sendable, Hashable {
  /// The entities, in declaration order. Entities of related models that were
  /// not declared explicitly come last.
  public let entities: [Entity]

  /// The tables of entities that are read from a table with another name, by
  /// entity name.
  private(set) var tables: [String: String] = [:]

  /// The models that entities are derived from, by entity name.
  private(set) var models: [String: RelatedModels] = [:]

  /// Creates a schema from entities.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/invalidSchema``
  ///   that lists all issues.
  public init(_ entities: [Entity]) throws {
    self.entities = entities
    let issues = issues
    guard issues.isEmpty else {
      throw StoreError(.invalidSchema, reason: issues.joined(separator: "; "))
    }
  }

  /// Creates a schema from models, their related models, and additional
  /// entities without a model.
  ///
  /// - Throws: A `MappingError` if a mapping is invalid, or a ``StoreError``
  ///   with the code ``StoreError/Code/invalidSchema`` that lists all issues of
  ///   the entities.
  public init(_ models: [any MappedModel.Type], entities: [Entity] = []) throws {
    var models = models
    var known = Set(models.map { ObjectIdentifier($0) })
    var derived: [Entity] = []
    var position = 0
    while position < models.count {
      let model = models[position]
      let derivation = try Self.derivation(of: model)
      derived.append(derivation.entity)
      models += derivation.related.filter { known.insert(ObjectIdentifier($0)).inserted }
      position += 1
    }
    try self.init(derived + entities)
    self.models = Dictionary(
      models.map { ($0.entityName, RelatedModels($0)) }, uniquingKeysWith: { one, _ in one })
  }

  /// - Throws: A ``StoreError`` if the schema does not have the model.
  func entity<Model: MappedModel>(of model: Model.Type) throws -> Entity {
    guard let entity = entity(Model.mapping.name) else {
      throw StoreError(
        .invalidRequest,
        reason: "the store has no table for `\(Model.mapping.name)`",
        suggestion: "name the model where the store is opened")
    }
    return entity
  }

  /// Returns a schema that reads the rows of an entity from another table.
  func reading(_ entity: String, from table: String) -> Schema {
    Schema(
      entities: entities.map { $0.name == entity ? $0.named(table) : $0 }, tables: [entity: table])
  }

  private init(entities: [Entity], tables: [String: String]) {
    self.entities = entities
    self.tables = tables
  }

  private static func derivation<Model: MappedModel>(
    of model: Model.Type
  ) throws -> (entity: Entity, related: [any MappedModel.Type]) {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    for key in mapping.keys where key.relation == nil && key.type == .reference {
      throw StoreError(
        .invalidSchema,
        reason: "`\(mapping.name).\(key.name)` refers to another model, which `.key` does not link",
        suggestion: "relate the models by `.toOne`")
    }
    return (Entity(mapping), mapping.keys.compactMap { $0.relation?.models.model })
  }
}
