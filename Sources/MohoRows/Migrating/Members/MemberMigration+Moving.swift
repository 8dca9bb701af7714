package import MohoMapping

extension MemberMigration {
  /// Moves the members of all rows, after the other steps.
  ///
  /// - Parameters:
  ///   - query: As in ``findings(isPlan:_:)``.
  ///   - progress: Receives the number of changed rows.
  package func run(
    _ findings: Findings, _ session: any StoreSession,
    _ query: (String, [FieldContent]) throws -> [[FieldContent]], progress: (Int) throws -> Void
  ) throws {
    guard let entity = session.schema.compiled.entity(self.entity),
      let receiver = entity.attribute(self.receiver)
    else { return }
    var count = 0
    for identities in try session.identities(of: RowRequest(self.entity)).sorted().batches {
      let rows = try session.rows(
        of: entity, identities.map { RowIdentity(entity: self.entity, stored: $0) })
      let documents = try findings.documents?.documents(of: identities, query) ?? [:]
      var updates: [ContextPlan.Row] = []
      for row in rows {
        guard let id = row.identity.stored else { continue }
        let taken = try taken(from: row.attributes[receiver], documents[id] ?? []) { index in
          guard let attribute = entity.attribute(keys[index].name) else { return false }
          return table.columns[keys[index].name] == nil || row.attributes[attribute] == .null
        }
        guard var taken else { continue }
        for index in findings.repeated[id] ?? [] { taken.contents[index] = nil }
        updates.append(update(of: row, entity, receiver, taken, number: updates.count))
      }
      if updates.isEmpty { continue }
      var plan = ContextPlan()
      plan.stages = [updates.map { .update($0) }]
      _ = try session.save(plan, resolvingConflictsBy: .contextWins)
      count += updates.count
      try progress(count)
    }
    try findings.documents?.drop(query)
  }

  private func update(
    of row: FetchedRow, _ entity: CompiledEntity, _ receiver: Int, _ taken: TakenMembers,
    number: Int
  ) -> ContextPlan.Row {
    let old = row.cellValues
    var new = old
    var columns = [receiver]
    let remaining = compiled.stored(taken.remaining, as: entity.attributes[receiver].type)
    new[receiver] = .content(remaining)
    for (index, content) in taken.contents {
      guard let attribute = entity.attribute(keys[index].name) else { continue }
      new[attribute] = .content(content)
      columns.append(attribute)
    }
    return ContextPlan.Row(
      handle: number, entity: entity.index, identity: row.identity, old: old, new: new,
      columns: columns.sorted())
  }
}
