public import MohoMapping

/// What becomes of a store whose tables are not those that are declared.
public struct MigrationPolicy: Sendable, Hashable {
  /// Whether anything is changed.
  let migrates: Bool
  /// What may be thrown away with the values that it has.
  let discarded: Set<SchemaPart>

  /// Any difference is an error, and declared migrations are not run. Only an
  /// empty store is made.
  public static let none = MigrationPolicy(migrates: false, discarded: [])

  /// Declared migrations are run, and what then differs is made as declared
  /// where the difference says how: entities and keys that are new (required
  /// keys by their default), renamed or gone, other constraints, indexes and
  /// delete rules. Where values would be lost, it is an error.
  ///
  /// A table whose entity is no longer declared is left as it is.
  public static let inferred = MigrationPolicy(migrates: true, discarded: [])

  /// As ``inferred``, and some parts may be thrown away with their values;
  /// entities too, whose tables are then dropped.
  public static func inferred(discarding parts: [SchemaPart]) -> MigrationPolicy {
    MigrationPolicy(migrates: true, discarded: Set(parts))
  }
}

/// An entity, or one of its keys.
public struct SchemaPart: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entity.
  public let entity: String
  /// The name of the key, or nil of the entity as a whole.
  public let key: String?

  /// An entity with all of its rows.
  public static func entity(_ name: String) -> SchemaPart { SchemaPart(entity: name, key: nil) }

  /// A key of an entity with its values.
  public static func key(_ name: String, of entity: String) -> SchemaPart {
    SchemaPart(entity: entity, key: name)
  }

  /// The names in backticks.
  public var description: String { "`\(entity)\(key.map { ".\($0)" } ?? "")`" }
}

/// The name that an entity or a key had before.
///
/// A store that has something of the old name, and nothing of the new one,
/// renames it when it is opened. Others are left as they are, so a renaming can
/// stay declared.
public struct Renaming: Sendable, Hashable {
  /// What has a new name, by its new names.
  public let part: SchemaPart
  /// The name that it had.
  public let oldName: String

  /// An entity has another name.
  public init(entity: String, from oldName: String) {
    self.init(.entity(entity), from: oldName)
  }

  /// A key of an entity, an attribute or a relationship, has another name.
  public init(key: String, of entity: String, from oldName: String) {
    self.init(.key(key, of: entity), from: oldName)
  }

  /// The mapping of a model has another name.
  public init<Model: MappedModel>(_ model: Model.Type, from oldName: String) {
    self.init(entity: model.mapping.name, from: oldName)
  }

  /// The key of a property has another name.
  ///
  /// Of a property that is no key, it does nothing.
  public init<Model: MappedModel, Value>(_ keyPath: KeyPath<Model, Value>, from oldName: String) {
    self.init(
      key: Model.mapping.key(for: keyPath)?.name ?? "", of: Model.mapping.name, from: oldName)
  }

  private init(_ part: SchemaPart, from oldName: String) {
    self.part = part
    self.oldName = oldName
  }
}

extension Schema {
  /// The names that entities and keys say they had before, entities first.
  var renamings: [Renaming] {
    entities.compactMap { entity in
      entity.renamedFrom.map { Renaming(entity: entity.name, from: $0) }
    }
      + entities.flatMap { entity in
        entity.attributes.compactMap { attribute in
          attribute.renamedFrom.map { Renaming(key: attribute.name, of: entity.name, from: $0) }
        }
          + entity.relationships.compactMap { relationship in
            relationship.renamedFrom.map {
              Renaming(key: relationship.name, of: entity.name, from: $0)
            }
          }
      }
  }
}
