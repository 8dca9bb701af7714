public import GRDB
public import MohoMapping

/// Steps that lead from an older store to what is declared, where the difference
/// does not say by itself what becomes of the values.
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
/// A store runs each migration once, in the order in which they are declared,
/// and keeps its name. A store that is new has what is declared already and runs
/// none. What differs afterwards is inferred.
public struct Migration: Sendable {
  /// The name, by which the store knows whether it has been run.
  public let name: String
  let steps: [DeclaredStep]

  /// Declares a migration.
  ///
  /// - Parameters:
  ///   - name: Its name, which no other migration of the store has had.
  ///   - declare: Adds its steps. It is called at once, and only declares.
  public init(_ name: String, _ declare: (inout MigrationSteps) -> Void) {
    self.name = name
    var steps = MigrationSteps()
    declare(&steps)
    self.steps = steps.steps
  }
}

/// The steps of a migration, in the order in which they are run.
///
/// They name entities and keys as the store has them when the step is run, so
/// that a migration needs no change when the declarations go on changing.
public struct MigrationSteps {
  var steps: [DeclaredStep] = []

  /// Gives an entity another name.
  public mutating func rename(entity: String, to name: String) {
    steps.append(.rename(Renaming(entity: name, from: entity)))
  }

  /// Gives a key of an entity, an attribute or a relationship, another name.
  public mutating func rename(_ key: String, of entity: String, to name: String) {
    steps.append(.rename(Renaming(key: name, of: entity, from: key)))
  }

  /// Makes new values of those of a key, row by row.
  ///
  /// Values are as the columns hold them: integers (truth values too), numbers
  /// (dates too, as seconds since 2001), texts, bytes and null. A new value may
  /// be of another type, that of the key as it is declared.
  ///
  /// - Parameters:
  ///   - key: The key, which is not the entity's identity.
  ///   - entity: The entity.
  ///   - newKey: The key that gets the new values, if that is another one; the
  ///     old values are thrown away then, unless the key is still declared.
  ///   - transform: Makes a new value of an old one.
  public mutating func transform(
    _ key: String, of entity: String, into newKey: String? = nil,
    _ transform: @escaping @Sendable (FieldContent) throws -> FieldContent
  ) {
    steps.append(
      .transform(
        ColumnTransform(entity: entity, key: key, newKey: newKey ?? key, transform: transform)))
  }

  /// Reads the models of an entity by an old mapping, and saves new ones that
  /// are made of them, a batch at a time.
  ///
  /// Both mappings may have the same name: the new table takes the place of the
  /// old one, which is dropped. Links that other rows have to the old ones stay,
  /// and must lead to new ones in the end.
  ///
  /// - Parameters:
  ///   - old: The model as it was. Of relationships it can have those to one
  ///     that the table has columns for.
  ///   - new: The model as the step leaves it.
  ///   - convert: Makes a new model of an old one, or nil to leave it out.
  public mutating func convert<Old: MappedModel, New: MappedModel>(
    _ old: Old.Type, to new: New.Type, _ convert: @escaping @Sendable (Old) throws -> New?
  ) {
    steps.append(.convert(ModelConversion(convert)))
  }

  /// Throws a key away, with its values.
  public mutating func discard(_ key: String, of entity: String) {
    steps.append(.discard(.key(key, of: entity)))
  }

  /// Throws an entity away, with its rows.
  public mutating func discard(entity: String) { steps.append(.discard(.entity(entity))) }

  /// Runs SQL, of one statement or several.
  ///
  /// A table that is made so and has the name of an entity must be exactly as
  /// the store would make it; the entity's own steps are rather for that.
  public mutating func sql(_ sql: String) { steps.append(.sql(sql)) }

  /// Runs any work on the connection, inside of the transaction.
  ///
  /// A plan that is only printed cannot tell what it does.
  public mutating func run(
    _ summary: String, _ body: @escaping @Sendable (Database) throws -> Void
  ) {
    steps.append(.run(summary, body))
  }
}

/// A step of a declared migration.
enum DeclaredStep: Sendable {
  case rename(Renaming)
  case transform(ColumnTransform)
  case convert(ModelConversion)
  case discard(SchemaPart)
  case sql(String)
  case run(String, @Sendable (Database) throws -> Void)

  var summary: String {
    switch self {
    case .rename(let renaming):
      "rename \(renaming.part.key == nil ? "entity" : "key") `\(renaming.oldName)`"
        + " to \(renaming.part)"
    case .transform(let transform): transform.summary
    case .convert(let conversion): conversion.summary
    case .discard(let part): "throw \(part) away"
    case .sql: "run SQL"
    case .run(let summary, _): summary
    }
  }

  /// What the step allows to be thrown away.
  var discarded: [SchemaPart] {
    switch self {
    case .discard(let part): [part]
    case .transform(let transform) where transform.newKey != transform.key:
      [.key(transform.key, of: transform.entity)]
    default: []
    }
  }
}
