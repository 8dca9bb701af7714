import MohoMapping

extension EditingContext {
  /// Returns rows of a child context that contain the given rows, directly or through others,
  /// and whose models have rules that may read them. Returns no rows of other contexts: the
  /// store checks these rules when the context is saved, with the values that are stored then.
  func rowsReading(_ rows: [Int]) throws -> [Int] {
    guard schema.hasRulesOverRelations, parent != nil, !rows.isEmpty else { return [] }
    let rules = try store.schema.rulesOverRelations
    var (seen, level, found): (Set<Int>, [Int], [Int]) = (Set(rows), rows, [])
    var depth = 0
    while !level.isEmpty, depth < NestingDepth.limit {
      try loadLinks(toRowsContaining: level, rules)
      level = graph.rows(containing: level, by: rules).filter { seen.insert($0).inserted }
      try loadValues(level)
      found += level
      depth += 1
    }
    return found
  }

  private func loadLinks(toRowsContaining rows: [Int], _ rules: RulesOverRelations) throws {
    for (entity, rows) in Dictionary(grouping: rows, by: { graph[$0].entity }) {
      for relationship in rules.containing[entity] {
        guard let inverse = graph.inverse(of: relationship) else { continue }
        try loadMembers(rows, inverse)
      }
    }
  }
}

extension ContextGraph {
  /// Returns the loaded rows that contain the given rows.
  fileprivate func rows(containing members: [Int], by rules: RulesOverRelations) -> [Int] {
    var found: [Int] = []
    for (entity, members) in Dictionary(grouping: members, by: { records[$0].entity })
      .sorted(by: { $0.key < $1.key })
    {
      for relationship in rules.containing[entity] {
        found += rows(containing: members, by: relationship)
      }
    }
    return found
  }

  private func rows(containing members: [Int], by relationship: CompiledRelationship) -> [Int] {
    if let inverse = inverse(of: relationship) {
      return members.flatMap { partners(of: $0, inverse) }
    }
    let members = Set(members)
    return records.indices.filter { row in
      records[row].entity == relationship.entity
        && partners(of: row, relationship).contains { members.contains($0) }
    }
  }
}
