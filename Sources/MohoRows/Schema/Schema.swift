public import MohoMapping

/// The entities of a store and their relationships.
public struct Schema: Sendable {
  /// The entities, in declaration order. Entities of related models that were
  /// not declared explicitly come last.
  public let entities: [Entity]

  /// The tables of those entities whose table has a different name.
  private let tables: [String: String]

  /// The models from which entities are derived, by entity name.
  let models: [String: RelatedModels]

  /// The entities and relationships by index.
  package let compiled: CompiledSchema

  /// Creates a schema from entities.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/invalidSchema``
  ///   that lists all issues.
  public init(_ entities: [Entity]) throws {
    self.init(entities, tables: [:], models: [:])
    try check()
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
    let byName = Dictionary(
      models.map { ($0.entityName, RelatedModels($0)) }, uniquingKeysWith: { one, _ in one })
    // The entities of such models cannot be told apart.
    try Self.check(Self.twins(in: models))
    self.init(derived + entities, tables: [:], models: byName)
    try check()
  }

  /// Returns the issues of models with the same name.
  private static func twins(in models: [any MappedModel.Type]) -> [String] {
    models.enumerated().compactMap { position, model in
      let twin = models[..<position].first { isEqualIgnoringCase($0.entityName, model.entityName) }
      return twin.map { twin in
        "the mappings of `\(typeName(twin))` and `\(typeName(model))` have the same name"
          + " `\(model.entityName)`"
      }
    }
  }

  /// The name of a type with the types and the module that contain it.
  private static func typeName(_ type: any MappedModel.Type) -> String {
    // The context of a private type has an address, which differs between processes.
    "\(String(reflecting: type))"
      .replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
  }

  private func check() throws { try Self.check(issues) }

  private static func check(_ issues: [String]) throws {
    guard issues.isEmpty else {
      throw StoreError(.invalidSchema, reason: issues.joined(separator: "; "))
    }
  }

  /// Returns the entity with a name.
  public func entity(_ name: String) -> Entity? { compiled.entity(name)?.entity }

  /// Returns the inverse of a relationship, regardless of which of the two
  /// declares the other.
  public func inverse(of relationship: Relationship, in entity: Entity) -> Relationship? {
    let inverse = compiled.entity(entity.name)?.relationship(relationship.name)?.inverseRelationship
    return inverse?.isImplied == true ? nil : inverse
  }

  /// Returns the way the store stores the links of a relationship.
  func storage(of relationship: Relationship, in entity: Entity) -> LinkStorage? {
    compiled.entity(entity.name)?.relationship(relationship.name)?.storage
  }

  /// Returns the names of the keys that the entity's own table stores: the
  /// attributes and the to-one relationships stored in columns.
  package func columnNames(of entity: Entity) -> [String] {
    compiled.entity(entity.name)?.columnNames ?? []
  }

  /// Returns the names of the columns of an entity's table, including position
  /// columns.
  package func tableColumns(of entity: Entity) -> [String] {
    compiled.entity(entity.name)?.table.columnNames ?? []
  }

  /// - Throws: A ``StoreError`` if the schema does not contain the model.
  package func entity(of model: any MappedModel.Type) throws -> Entity {
    try compiled.node(of: model).entity.entity
  }

  /// Returns a schema that reads the rows of an entity from another table.
  package func redirecting(_ entity: String, to table: String) -> Schema {
    Schema(
      entities.map { $0.name == entity ? $0.named(table) : $0 }, tables: [entity: table],
      models: [:], compiled.conversion)
  }

  /// Returns the schema of a database that stores some values in another form.
  package func storing(_ conversion: @escaping StoredConversion) -> Schema {
    Schema(
      entities.map { entity in
        entity.replacingAttributes(entity.attributes.map { $0.storing(conversion) })
      }, tables: tables, models: models, conversion)
  }

  /// Returns the schema for SQLite, which has neither unsigned integers nor UUIDs. The
  /// UUIDs of models are texts, and those of declared entities are texts with a
  /// constraint.
  ///
  /// - Throws: A ``StoreError`` if an attribute has a default or a constraint that an
  ///   integer in SQLite cannot have.
  package func withoutUnsignedIntegersAndUUIDs() throws -> Schema {
    let schema = Schema(
      entities.map { entity in
        let isModel = models[entity.name] != nil
        return entity.replacingAttributes(
          entity.attributes.map { attribute in
            isModel && attribute.type == .uuid
              ? attribute.replacingType(with: .string) : attribute.signed
          })
      }, tables: tables, models: models, compiled.conversion)
    try schema.check()
    return schema
  }

  /// Returns a schema of computed values, which have the stored forms of this schema. It
  /// has no tables, and is not checked.
  func ofValues(_ entity: Entity) -> Schema {
    Schema([entity], tables: [:], models: [:], compiled.conversion)
  }

  private init(
    _ entities: [Entity], tables: [String: String], models: [String: RelatedModels],
    _ conversion: StoredConversion? = nil
  ) {
    self.entities = entities
    self.tables = tables
    self.models = models
    compiled = CompiledSchema(
      entities, aliases: tables, models: models, conversion: conversion)
  }

  private static func derivation<Model: MappedModel>(
    of model: Model.Type
  ) throws -> (entity: Entity, related: [any MappedModel.Type]) {
    let mapping = Model.mapping
    try mapping.checkDeclaration()
    for key in mapping.keys where key.relation == nil && key.type == .reference {
      throw StoreError(
        .invalidSchema,
        reason:
          "`\(mapping.name).\(key.name)` refers to another model, which `.key` does not support",
        suggestion: "use `.toOne`")
    }
    return (Entity(mapping), mapping.keys.compactMap { $0.relation?.models.model })
  }
}

extension Schema: Hashable {
  /// Returns a Boolean value indicating whether two schemas have the same
  /// entities, models and tables.
  public static func == (one: Schema, other: Schema) -> Bool {
    one.entities == other.entities && one.tables == other.tables && one.models == other.models
  }

  /// Hashes the entities.
  public func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}
