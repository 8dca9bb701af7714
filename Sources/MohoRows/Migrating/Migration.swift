public import MohoMapping

/// A sequence of steps that upgrades an older store, for changes that the store
/// cannot infer from the difference between the old and the new schema.
///
/// ```swift
/// Migration("count seasons from 1") { steps in
///   steps.rename("no", of: "Episode", to: "number")
///   steps.transform("season", of: "Episode") { season in
///     if case .int64(let number) = season { .int64(number + 1) } else { season }
///   }
/// }
/// ```
///
/// A store runs each migration once, in declaration order, and records its
/// name. A new store is created with the declared schema and runs no migration.
/// The remaining differences are migrated by inference.
public struct Migration: Sendable {
  /// The name of the migration. The store uses it to determine whether the
  /// migration has been run.
  public let name: String
  package let steps: [DeclaredStep]

  /// Declares a migration.
  ///
  /// - Parameters:
  ///   - name: A name that no other migration of the store has or has had.
  ///   - declare: A closure that adds the steps. It is called immediately and
  ///     must not have side effects.
  public init(_ name: String, _ declare: (inout MigrationSteps) -> Void) {
    self.name = name
    var steps = MigrationSteps()
    declare(&steps)
    self.steps = steps.steps
  }

  package init(_ name: String, _ steps: [DeclaredStep]) {
    self.name = name
    self.steps = steps
  }

  /// The steps in the form in which a plan shows them.
  package var plan: [MigrationStep] {
    steps.map { step in
      let sql = if case .sql(let sql) = step { [sql] } else { [String]() }
      return MigrationStep("\(name): \(step.summary)", sql)
    }
  }
}

/// The steps of a migration, in execution order.
///
/// Steps refer to entities and keys by the names that the store has when the
/// step runs. A migration therefore remains valid when the declarations change
/// later.
public struct MigrationSteps {
  package var steps: [DeclaredStep] = []

  /// Renames an entity.
  public mutating func rename(entity: String, to name: String) {
    steps.append(.rename(Renaming(entity: name, from: entity)))
  }

  /// Renames an attribute or a relationship.
  public mutating func rename(_ key: String, of entity: String, to name: String) {
    steps.append(.rename(Renaming(key: name, of: entity, from: key)))
  }

  /// Transforms the values of a key, row by row.
  ///
  /// The closure receives and returns values in the form that the columns of
  /// SQLite store: integers (also for Booleans), floating-point numbers (also
  /// for dates, as seconds since 2001), text (also for decimals, UUIDs and
  /// structured values), data and null. A transformed value can have a different
  /// type, which must be the declared type of the key.
  ///
  /// - Parameters:
  ///   - key: The key to transform. It cannot be the identity of the entity.
  ///   - entity: The entity.
  ///   - newKey: The key for the transformed values, or nil to replace the old
  ///     values. If the old key is no longer declared, its values are deleted.
  ///   - transform: A closure that transforms a value.
  public mutating func transform(
    _ key: String, of entity: String, into newKey: String? = nil,
    _ transform: @escaping @Sendable (FieldContent) throws -> FieldContent
  ) {
    steps.append(
      .transform(
        ColumnTransform(entity: entity, key: key, newKey: newKey ?? key, transform: transform)))
  }

  /// Reads the models of an entity with an old mapping, converts them, and
  /// saves the converted models, in batches.
  ///
  /// Both mappings can have the same name. The new table replaces the old one,
  /// which is dropped. Links of other rows to the old rows are preserved. At
  /// the end of the migration, they must refer to new rows.
  ///
  /// - Parameters:
  ///   - old: The old model. It can have only those relationships that are
  ///     columns of its table, which are to-one relationships.
  ///   - new: The model after this step.
  ///   - convert: A closure that converts a model, or returns nil to omit it.
  public mutating func convert<Old: MappedModel, New: MappedModel>(
    _ old: Old.Type, to new: New.Type, _ convert: @escaping @Sendable (Old) throws -> New?
  ) {
    steps.append(.convert(ModelConversion(convert)))
  }

  /// Allows the migration to delete a key with its values.
  public mutating func discard(_ key: String, of entity: String) {
    steps.append(.discard(.key(key, of: entity)))
  }

  /// Allows the migration to delete an entity with its rows.
  public mutating func discard(entity: String) { steps.append(.discard(.entity(entity))) }

  /// Retains the values of a key that is no longer declared as unknown members, at
  /// the path and in the form that documents had. The entity needs a key that
  /// receives unknown members.
  ///
  /// Values that documents cannot contain, such as those of store-only keys, are
  /// losses of the migration. So are values that the key cannot contain.
  public mutating func retainAsUnknown(_ key: String, of entity: String) {
    steps.append(.keep(.key(key, of: entity)))
  }

  /// Runs one or more SQL statements. Statements that control transactions, connections or
  /// files, such as `COMMIT`, are refused; see ``StoreWriter/execute(sql:arguments:)``.
  ///
  /// If a statement creates a table with the name of an entity, the table must
  /// be identical to the one that the store would create. Prefer the other
  /// steps to change entities.
  public mutating func sql(_ sql: String) { steps.append(.sql(sql)) }
}

/// A step that only one engine can run, such as a closure that receives its connection.
///
/// The engine recognizes the type of the step, and runs it in the transaction of the
/// migration. Other engines throw a ``StoreError`` with the code
/// ``StoreError/Code/migrationFailed``.
package protocol EngineStep: Sendable {
  /// The name of the engine's database, for the errors of other engines.
  var database: String { get }
}

package enum DeclaredStep: Sendable {
  case rename(Renaming)
  case transform(ColumnTransform)
  case convert(ModelConversion)
  case discard(SchemaPart)
  /// Keeps the values of a key as unknown members.
  case keep(SchemaPart)
  case sql(String)
  /// A step that an engine declares, with its summary.
  case run(String, any EngineStep)

  package var summary: String {
    switch self {
    case .rename(let renaming):
      "rename \(renaming.part.key == nil ? "entity" : "key") `\(renaming.oldName)`"
        + " to \(renaming.part)"
    case .transform(let transform): transform.summary
    case .convert(let conversion): conversion.summary
    case .discard(let part): "discard \(part)"
    case .keep(let part): "keep the values of \(part) as unknown members"
    case .sql: "run SQL"
    case .run(let summary, _): summary
    }
  }

  /// The parts that the step allows the migration to delete.
  package var discarded: [SchemaPart] {
    switch self {
    case .discard(let part): [part]
    case .transform(let transform) where transform.newKey != transform.key:
      [.key(transform.key, of: transform.entity)]
    default: []
    }
  }

  /// The key whose values the step keeps as unknown members.
  package var kept: SchemaPart? { if case .keep(let part) = self { part } else { nil } }
}

extension StoreError {
  /// Creates an error that names the step of a declared migration.
  /// Environment errors such as a full disk are returned unchanged.
  package init(
    _ error: any Error, in step: DeclaredStep, of migration: Migration, passing codes: [Code] = []
  ) {
    let store = error as? StoreError
    let passing = codes + [.full, .inputOutput, .damaged, .readOnly, .busy, .cannotOpen]
    if let store, passing.contains(store.code) {
      self = store
      return
    }
    self.init(
      .migrationFailed, entity: store?.entity, keys: store?.keys ?? [],
      reason: "\(store?.reason ?? "\(error)"), in the step \"\(step.summary)\""
        + " of \"\(migration.name)\"",
      suggestion: store?.suggestion, underlying: store?.underlying ?? error)
  }
}
