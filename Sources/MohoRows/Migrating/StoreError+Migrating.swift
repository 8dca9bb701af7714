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
