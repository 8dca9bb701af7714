public import MohoMapping

extension Entity {
  /// The entity that a mapping declares.
  public init<Model>(_ mapping: Mapping<Model>) {
    let keys = mapping.keys.filter(\.isStored)
    self.init(
      mapping.name,
      attributes: mapping.keys.indices.compactMap { index in
        let key = mapping.keys[index]
        if !key.isStored || key.relation != nil { return nil }
        let type = AttributeType(key.type)
        // Not the column's default: what a model gives for an absent value may
        // be another each time, such as the present.
        let fallback = mapping.defaultContent(at: index).flatMap { type.holds($0) ? $0 : nil }
        return Attribute(key.name, type, isOptional: key.isOptional, fallback: fallback)
      },
      relationships: keys.compactMap { key in
        key.relation.map { Relationship(key, $0) }
      },
      unique: keys.filter { $0.traits.contains(.unique) }.map { [$0.name] } + mapping.uniqueKeys,
      indexes: keys.filter { $0.traits.contains(.indexed) && !$0.traits.contains(.unique) }
        .map { [$0.name] } + mapping.indexes)
  }
}

extension Relationship {
  fileprivate init(_ key: MappingKey, _ relation: Relation) {
    self.init(
      name: key.name, destination: relation.models.model.entityName,
      isToMany: relation.models.isToMany, isOrdered: relation.models.isOrdered,
      isOptional: key.isOptional || relation.models.isToMany, inverse: relation.inverse,
      deleteRule: relation.deleteRule, count: relation.count)
  }
}

extension MappedModel {
  /// The name of the model's table.
  static var entityName: String { mapping.name }
}

extension MappingKey {
  /// Throws where the key's column holds no value with structure. A type whose
  /// values are texts of their own making may write them so instead.
  ///
  /// - Throws: `MappingError` of code `unsupported`.
  func checkStructure(_ found: String) throws {
    guard AttributeType(type) != .transformable else { return }
    throw MappingError(.unsupported, found: found, expected: "flat value")
  }
}

extension AttributeType {
  /// What the column of a key holds whose values are of a kind.
  init(_ type: FieldType) {
    self =
      switch type {
      case .boolean: .boolean
      case .null, .integer: .int64
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .data: .data
      case .object, .array, .dictionary, .reference: .transformable
      }
  }

  /// The SQLite type of the columns that hold it.
  var columnType: String {
    switch self {
    case .int16, .int32, .int64, .boolean: "INTEGER"
    case .double, .float, .date: "REAL"
    case .string, .decimal, .uuid, .url, .transformable: "TEXT"
    case .data: "BLOB"
    }
  }
}
