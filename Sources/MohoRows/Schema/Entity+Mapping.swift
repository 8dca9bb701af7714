public import MohoMapping

extension Entity {
  /// Creates the entity that a mapping declares.
  public init<Model>(_ mapping: Mapping<Model>) {
    let keys = mapping.keys.filter(\.isStored)
    self.init(
      mapping.name,
      attributes: mapping.keys.indices.compactMap { index in
        let key = mapping.keys[index]
        if !key.isStored || key.relation != nil { return nil }
        let type = AttributeType(key.type)
        // This is not the default of the column: the default of a mapping can
        // be a different value each time, such as the current date.
        let backfillValue = mapping.defaultContent(at: index)
          .flatMap { try? mapping.storedContent($0, at: index) }
          .flatMap { type.holds($0) ? $0 : nil }
        return Attribute(
          key.name, type, isOptional: key.isOptional, backfillValue: backfillValue,
          nestedModel: NestedModel(schema: mapping.nestedModel(at: index)))
      },
      relationships: keys.compactMap { key in
        key.relation.map { Relationship(key, $0) }
      },
      identifiedBy: mapping.declaresIdentity ? mapping.identifyingKeys : [],
      unique: keys.filter { $0.traits.contains(.unique) }.map { [$0.name] } + mapping.uniqueKeys,
      indexes: keys.filter { $0.traits.contains(.indexed) && !$0.traits.contains(.unique) }
        .map { [$0.name] } + mapping.indexes,
      searchable: keys.filter { $0.traits.contains(.searchable) }.map(\.name))
  }
}

extension Relationship {
  fileprivate init(_ key: FieldKey, _ relation: Relation) {
    self.init(
      name: key.name, destination: relation.models.model.entityName,
      isToMany: relation.models.isToMany, isOrdered: relation.models.isOrdered,
      isOptional: key.isOptional || relation.models.isToMany, inverse: relation.inverse,
      deleteRule: relation.deleteRule, targetDeleteRule: relation.targetDeleteRule,
      count: relation.count)
  }
}

extension MappedModel {
  /// The name of the model's entity.
  static var entityName: String { mapping.name }
}

extension FieldKey {
  /// Throws an error if the column of the key cannot store a structured value.
  /// This happens if the type of the key declares a flat field type and reads
  /// or writes a structured value.
  ///
  /// - Throws: A `MappingError` with the code `unsupported`.
  package func checkStructure(_ found: String) throws {
    guard AttributeType(type) != .structured else { return }
    throw MappingError(.unsupported, found: found, expected: "flat value")
  }
}

extension AttributeType {
  /// The attribute type for a field type.
  init(_ type: FieldType) {
    self =
      switch type {
      case .boolean: .boolean
      case .null, .integer: .int64
      case .unsignedInteger: .uint64
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .uuid: .uuid
      case .date: .date
      case .data: .data
      case .object, .array, .dictionary, .reference: .structured
      }
  }
}
