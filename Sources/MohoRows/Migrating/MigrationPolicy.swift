public import MohoMapping

/// The way to handle a store whose tables differ from the declarations.
public struct MigrationPolicy: Sendable, Hashable {
  /// Whether the store may be migrated.
  package let migrates: Bool
  /// The parts that may be deleted with their values.
  package let discarded: Set<SchemaPart>
  /// The keys whose values become unknown members when they are no longer
  /// declared.
  package let kept: Set<SchemaPart>

  private init(
    migrates: Bool, discarding discarded: [SchemaPart] = [], keeping kept: [SchemaPart] = []
  ) {
    self.migrates = migrates
    self.discarded = Set(discarded)
    self.kept = Set(kept)
  }

  /// Throws an error for any difference and runs no declared migrations. Only
  /// an empty store is set up.
  public static let none = MigrationPolicy(migrates: false)

  /// Runs the declared migrations and then infers the remaining changes: new,
  /// renamed and removed entities and keys, constraints, indexes and delete
  /// rules. New required keys get their default value. If the migration would
  /// delete values, an error is thrown.
  ///
  /// A new key takes its values out of the unknown members of the rows, as from a
  /// document. Members that it cannot take are values that would be deleted.
  ///
  /// The table of an entity that is no longer declared is left unchanged.
  public static let inferred = MigrationPolicy(migrates: true)

  /// Migrates like ``inferred``, and may delete the given parts with their
  /// values. The tables of discarded entities are dropped.
  public static func inferred(discarding parts: [SchemaPart]) -> MigrationPolicy {
    MigrationPolicy(migrates: true, discarding: parts)
  }

  /// Migrates like ``inferred(discarding:)``, and retains the values of the given
  /// keys, which are no longer declared, as unknown members. See
  /// ``MigrationSteps/retainAsUnknown(_:of:)``.
  public static func inferred(
    discarding parts: [SchemaPart] = [], retainingAsUnknown retained: [SchemaPart]
  ) -> MigrationPolicy {
    MigrationPolicy(migrates: true, discarding: parts, keeping: retained)
  }
}

/// An entity or a key of an entity.
public struct SchemaPart: Sendable, Hashable, CustomStringConvertible {
  /// The name of the entity.
  public let entity: String
  /// The name of the key, or nil for the whole entity.
  public let key: String?

  package init(entity: String, key: String?) {
    self.entity = entity
    self.key = key
  }

  /// An entity with all of its rows.
  public static func entity(_ name: String) -> SchemaPart { SchemaPart(entity: name, key: nil) }

  /// A key of an entity with its values.
  public static func key(_ name: String, of entity: String) -> SchemaPart {
    SchemaPart(entity: entity, key: name)
  }

  /// The names in backticks.
  public var description: String { "`\(entity)\(key.map { ".\($0)" } ?? "")`" }
}

/// A renamed entity or key.
///
/// If the store has the old name and not the new one, the store is changed when
/// it is opened. Otherwise, the renaming is ignored, so it can remain in the
/// declarations.
public struct Renaming: Sendable, Hashable {
  /// The renamed part, with its new names.
  public let part: SchemaPart
  /// The former name.
  public let oldName: String

  /// Declares that an entity was renamed.
  public init(entity: String, from oldName: String) {
    self.init(.entity(entity), from: oldName)
  }

  /// Declares that an attribute or a relationship was renamed.
  public init(key: String, of entity: String, from oldName: String) {
    self.init(.key(key, of: entity), from: oldName)
  }

  /// Declares that the mapping of a model was renamed.
  public init<Model: MappedModel>(_ model: Model.Type, from oldName: String) {
    self.init(entity: model.mapping.name, from: oldName)
  }

  /// Declares that the key of a property was renamed.
  ///
  /// The renaming is ignored if the property has no key.
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
  /// The renamings that entities and keys declare, entities first.
  package var renamings: [Renaming] {
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

  /// Whether the schema declares the new name of a renaming, and no longer its
  /// old name.
  package func canApply(_ renaming: Renaming) -> Bool {
    guard let declared = entity(renaming.part.entity) else { return false }
    guard let key = renaming.part.key else { return entity(renaming.oldName) == nil }
    func declares(_ name: String) -> Bool {
      declared.attribute(name) != nil || declared.relationship(name) != nil
    }
    return declares(key) && !declares(renaming.oldName)
  }
}
