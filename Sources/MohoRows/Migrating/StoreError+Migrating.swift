extension [SchemaDifference] {
  /// Advice to declare a renaming, for entities that have exactly one added and
  /// one removed key. Nil if there are no such entities.
  package var renamingAdvice: String? {
    let names = map(\.entity).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    let advices = names.compactMap { name -> String? in
      let keys = filter { $0.entity == name && $0.key != nil }
      let removed = keys.filter { $0.change == .removed }.compactMap(\.key)
      let added = keys.filter { $0.change == .added }.compactMap(\.key)
      guard removed.count == 1, added.count == 1 else { return nil }
      return "if `\(name).\(removed[0])` was renamed to `\(added[0])`, declare a `Renaming`"
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
