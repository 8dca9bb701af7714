import MohoMapping

/// The version of the declarations with which an app opens a store.
package struct DeclaredVersion: Sendable {
  private let number: Int
  private let migrations: Set<String>
  /// The names of migrations that were removed from the declarations.
  private let formerMigrations: Set<String>
  /// The names of the declared entities.
  private let entities: Set<String>
  /// The names of entities that the migrations rename, convert or discard.
  private let formerEntities: Set<String>
  /// The forms of the values of declared keys.
  private let forms: [SchemaPart: ValueForm]
  /// How documents contain the keys, by entries of the record.
  private let documented: [StoreRecord.Subject: String]

  /// - Parameters:
  ///   - number: The number of the version, or 0 if the app does not number versions.
  ///   - renamings: All renamings, including those of the schema.
  package init(
    _ number: Int, _ schema: Schema, _ migrations: [Migration], former: [String],
    _ renamings: [Renaming], _ policy: MigrationPolicy
  ) {
    self.number = number
    self.migrations = Set(migrations.map(\.name))
    formerMigrations = Set(former)
    entities = Set(schema.entities.map(\.name))
    forms = schema.forms
    documented = schema.documentedKeys
    let steps = migrations.flatMap(\.steps)
    let discarded = steps.flatMap(\.discarded) + policy.discarded
    formerEntities = Set(
      steps.compactMap(\.formerEntity)
        + renamings.compactMap { $0.part.key == nil ? $0.oldName : nil }
        + discarded.compactMap { $0.key == nil ? $0.entity : nil })
  }

  /// Throws an error if a newer version of the app has opened the store.
  ///
  /// Stores with other entities in the same database do not matter.
  package func check(_ record: StoreRecord) throws {
    let recorded = record.version(of: entities)
    guard recorded <= number else {
      throw StoreError(
        newer: "found version \(recorded), expected \(number == 0 ? "none" : "at most \(number)")")
    }
    // A new version may have removed old migrations.
    guard recorded == number else { return }
    let unknown = record.migrations(of: entities).first {
      !migrations.contains($0) && !formerMigrations.contains($0)
    }
    guard let unknown else { return }
    throw StoreError(newer: "found the migration `\(unknown)`, which is not declared")
  }

  /// Returns the record of a store after this version has opened it.
  package func updating(_ record: StoreRecord) -> StoreRecord {
    var updated = record
    let touched = entities.union(formerEntities)
    if record.version(of: entities) < number {
      updated.removeMigrations(of: touched, except: migrations)
    }
    updated.removeForms { touched.contains($0.name) }
    for (part, form) in forms {
      if let key = part.key { updated[.init(.form, part.entity, key)] = form.text }
    }
    for (subject, text) in documented { updated[subject] = text }
    for entity in touched {
      if number > 0 { updated[.init(.version, entity)] = "\(number)" }
      for migration in migrations { updated[.init(.scope, migration, entity)] = "" }
    }
    return updated
  }
}

extension DeclaredStep {
  /// The entity that does not exist after the step.
  fileprivate var formerEntity: String? {
    switch self {
    case .rename(let renaming): renaming.part.key == nil ? renaming.oldName : nil
    case .convert(let conversion): conversion.oldEntity
    case .transform, .discard, .keep, .sql, .run: nil
    }
  }
}

extension StoreError {
  /// Creates the error of a store that a newer version of the app has opened.
  fileprivate init(newer found: String) {
    self.init(.newerVersion, reason: found, suggestion: "update the app")
  }
}
