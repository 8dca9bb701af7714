/// A comparison of a stored schema with the declarations.
package protocol ComparedSchema {
  /// All differences, including those without a step.
  var differences: [SchemaDifference] { get }

  /// The steps that resolve the differences, in execution order. Renaming steps come
  /// first.
  var steps: [MigrationStep] { get }

  /// The differences that no step can resolve, with advice for resolving them.
  var refusals: [(difference: SchemaDifference, advice: String)] { get }

  /// Returns the name of the column with the values of a key, or nil if the store has
  /// none. Called after the renaming steps, to find duplicates of unique keys.
  func valueColumn(of key: String, in entity: String) -> String?

  /// The parts that the steps delete with their values. Each has a query whose only value
  /// is the number of these values. The query runs before the steps, so it contains the
  /// names that tables have before the renaming steps.
  var discards: [(part: SchemaPart, count: String)] { get }
}

extension ComparedSchema {
  /// Throws an error if the steps cannot resolve all differences, or if they
  /// would delete values.
  ///
  /// - Parameter losses: Returns the values that the steps would delete.
  package func check(_ losses: () throws -> [MigrationLoss]) throws {
    let renaming = [differences.renamingAdvice].compactMap { $0 }
    if !refusals.isEmpty {
      let advices = refusals.map(\.advice).reduce(into: renaming) { advices, advice in
        if !advices.contains(advice) { advices.append(advice) }
      }
      throw StoreError(
        incompatible: refusals.map(\.difference), of: differences,
        advice: advices.joined(separator: "; "))
    }
    let losses = try losses()
    if losses.isEmpty { return }
    throw StoreError(losing: losses, differences: differences, advice: renaming)
  }

  /// Returns the values that the steps would delete without permission.
  ///
  /// - Parameters:
  ///   - allowed: The parts that may be deleted.
  ///   - count: Executes a query, which contains the names that tables have
  ///     before the renaming steps.
  package func losses(
    allowing allowed: Set<SchemaPart>, _ count: (String) throws -> Int
  ) rethrows -> [MigrationLoss] {
    try discards.compactMap { part, query in
      if allowed.contains(part) { return nil }
      let values = try count(query)
      return values == 0 ? nil : MigrationLoss(part: part, count: values)
    }
  }
}

extension MigrationPlan {
  /// Creates the plan for a comparison, without losses.
  package init(_ comparison: some ComparedSchema) {
    self.init(
      differences: comparison.differences, steps: comparison.steps, losses: [],
      refusals: comparison.refusals.map(\.difference))
  }
}

extension TableDefinition {
  /// The reason why the table cannot be created: its links are in a column of the
  /// entity's table, and would be lost.
  ///
  /// - Parameter hasLinks: Returns whether the entity's table has rows and a column
  ///   for a relationship.
  package func reasonAgainstMovingLinks(
    discarding discarded: Set<SchemaPart>, _ hasLinks: (String) -> Bool
  ) -> String? {
    guard let relationship, hasLinks(relationship),
      !discarded.contains(.key(relationship, of: entity))
    else { return nil }
    return "declare a migration that preserves the links of `\(entity).\(relationship)`,"
      + " or discard them"
  }
}
