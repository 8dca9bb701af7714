extension [SchemaDifference] {
  /// Advice to declare renamings, for entities that have added and removed keys. Nil if there
  /// are no such entities.
  package var renamingAdvice: String? {
    let names = map(\.entity).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    let advices = names.compactMap { name -> String? in
      let keys = filter { $0.entity == name && $0.key != nil }
      let removed = keys.filter { $0.change == .removed }.map(\.part)
      let added = keys.filter { $0.change == .added }.compactMap(\.key)
      guard let first = removed.first, let last = added.first else { return nil }
      if removed.count > 1 { return "if a key of `\(name)` was renamed, declare a `Renaming`" }
      let target = added.count == 1 ? " to `\(last)`" : ""
      return "if \(first) was renamed\(target), declare a `Renaming`"
    }
    return advices.isEmpty ? nil : advices.joined(separator: "; ")
  }
}

extension StoreError {
  /// Creates the error of a store that cannot be opened because of differences.
  ///
  /// - Parameters:
  ///   - found: The differences that the migration cannot resolve.
  ///   - differences: All differences.
  package init(
    incompatible found: [SchemaDifference], of differences: [SchemaDifference], advice: String
  ) {
    self.init(
      .incompatibleSchema, entity: found.first?.entity,
      keys: found.filter { $0.entity == found.first?.entity }.compactMap(\.key),
      reason: found.map(\.description).joined(separator: "; "), suggestion: advice)
    self.differences = differences
  }

  /// Creates the error of a migration that would delete values.
  package init(
    losing losses: [MigrationLoss], differences: [SchemaDifference], advice: [String]
  ) {
    let entity = losses.first?.part.entity
    let preserving =
      "declare a migration that preserves the values, or discard them in the migration policy"
    self.init(
      .wouldLoseData, entity: entity,
      keys: losses.filter { $0.part.entity == entity }.compactMap(\.part.key),
      reason: losses.map(\.description).joined(separator: "; "),
      suggestion: (advice + [preserving]).joined(separator: "; "))
    self.differences = differences
  }
}

// The errors of steps that both engines execute.
extension StoreError {
  /// The error of a step for an entity that the store does not have.
  package static func missingEntity(_ entity: String) -> StoreError {
    StoreError(.migrationFailed, entity: entity, reason: "the store has no entity `\(entity)`")
  }

  /// The error of a renaming whose part does not exist, or whose new name does.
  package init(impossible renaming: Renaming) {
    self.init(
      .migrationFailed, entity: renaming.part.entity,
      reason: "the store has no `\(renaming.oldName)`, or already has \(renaming.part)")
  }

  /// The error of a step for another engine.
  package init(unsupported step: any EngineStep, _ summary: String) {
    self.init(
      .migrationFailed, reason: "the step \"\(summary)\" requires \(step.database)",
      suggestion: "declare the migration with SQL")
  }
}

extension ColumnTransform {
  /// The error for a key without a column.
  package var missingColumnError: StoreError {
    StoreError(
      .migrationFailed, entity: entity, keys: [key],
      reason: "`\(entity)` has no column for `\(key)`")
  }

  /// The error for a key that is the identity of rows.
  package var identityError: StoreError {
    StoreError(
      .migrationFailed, entity: entity, keys: [key],
      reason: "`\(entity).\(key)` is the identity of the rows",
      suggestion: "convert the models of the entity")
  }
}

// Advice for differences that no step resolves.
extension TableDefinition {
  /// Advice for a required key without a value for existing rows.
  package func fillingAdvice(_ key: String) -> String {
    "declare a default for `\(entity).\(key)`, or a migration that sets its values"
  }

  /// Advice for a column whose values have another type.
  package func transformingAdvice(_ column: ColumnDefinition) -> String {
    "declare a migration that transforms the values of `\(entity).\(column.name)`"
  }

  /// Advice for another identity of rows.
  package var recreatingAdvice: String {
    "declare a migration that recreates the models of `\(entity)`"
  }
}
