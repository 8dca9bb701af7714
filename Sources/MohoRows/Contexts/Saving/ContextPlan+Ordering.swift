import MohoMapping

/// A value that must be unique in its table.
private struct Claim: Hashable {
  let entity: Int
  /// The index of the unique key or of the unique link.
  let key: Int
  let columns: [Int]
  let values: [CellValue]
}

extension ContextGraph {
  /// Returns the steps in an order that satisfies all constraints, in stages. A row gives
  /// up a unique value before another row takes it. Rows that a deletion would
  /// also delete, or that deny the deletion, are deleted first. If possible,
  /// links to a row are removed before the row is deleted.
  ///
  /// - Parameter plan: Receives what breaks cycles of rows that are deleted, and of
  ///   rows that exchange unique values.
  func inOrder(_ steps: [ContextPlan.Step], _ plan: inout ContextPlan) -> [[ContextPlan.Step]] {
    var uniqueColumns: [Int: [(key: Int, columns: [Int])]] = [:]
    var holders: [Claim: Int] = [:]
    var deletions: [RowIdentity: Int] = [:]
    for (position, step) in steps.enumerated() {
      let entity = step.row.entity
      let columns = uniqueColumns[entity] ?? self.uniqueColumns(of: schema.entities[entity])
      uniqueColumns[entity] = columns
      switch step {
      case .update(let row):
        for claim in claims(of: row, row.old, insteadOf: row.new, columns) {
          holders[claim] = position
        }
      case .delete(let row):
        for claim in claims(of: row, row.old, columns) { holders[claim] = position }
        deletions[row.identity] = position
      }
    }
    let requirements = requirements(of: steps, deletions, &plan)
    var must: [[Int]] = []
    var taken = Array(repeating: [(claim: Claim, holder: Int)](), count: steps.count)
    var should = Array(repeating: [Int](), count: steps.count)
    for (position, step) in steps.enumerated() {
      switch step {
      case .update(let row):
        let columns = uniqueColumns[row.entity] ?? []
        let claims = claims(of: row, row.new, insteadOf: row.old, columns)
        taken[position] = claims.compactMap { claim in
          holders[claim].flatMap { $0 == position ? nil : (claim, $0) }
        }
        must.append(taken[position].map(\.holder))
        if deletions.isEmpty { continue }
        for (old, new) in zip(row.old, row.new) where old != new {
          if case .row(let target?) = old, let deletion = deletions[target] {
            should[deletion].append(position)
          }
        }
      case .delete: must.append(requirements[position] ?? [])
      }
    }
    // Also the requirements that cannot be met.
    let related = must.indices.map { must[$0] + should[$0] }
    for position in unorderable(must) {
      guard case .update = steps[position] else { continue }
      must[position] = taken[position].filter { !isReleasable($0.claim, by: steps[$0.holder]) }
        .map(\.holder)
    }
    let ordered = order(must, should)
    plan.severed += overtakenLinks(ordered, should, steps)
    plan.releases = releases(ordered, taken).compactMap { released(steps[$0].row, $1) }
    return stages(ordered, related).map { stage in stage.map { steps[$0] } }
  }

  /// Returns the links that updates remove only after the linked row is deleted, because they
  /// take a unique value of it, and whose rules would delete the updated row or deny the deletion.
  private func overtakenLinks(
    _ ordered: [Int], _ should: [[Int]], _ steps: [ContextPlan.Step]
  ) -> [ContextPlan.SeveredLink] {
    var isDone = Array(repeating: false, count: ordered.count)
    var links: [ContextPlan.SeveredLink] = []
    for position in ordered {
      isDone[position] = true
      let deleted = steps[position].row.identity
      for update in should[position] where !isDone[update] {
        let row = steps[update].row
        let entity = schema.entities[row.entity]
        for relationship in entity.linkColumns where relationship.canUnlink {
          let column = entity.attributes.count + (relationship.slot ?? 0)
          guard [.cascade, .deny].contains(relationship.targetDeleteRule),
            row.old[column] == .row(deleted)
          else { continue }
          links.append(
            ContextPlan.SeveredLink(
              relationship: relationship, row: row.identity, related: deleted))
        }
      }
    }
    return links
  }

  /// Returns the steps whose rows give up unique values only after another row
  /// takes them, because these rows exchange values, with the columns of the values.
  private func releases(
    _ ordered: [Int], _ taken: [[(claim: Claim, holder: Int)]]
  ) -> [(position: Int, columns: Set<Int>)] {
    var isDone = Array(repeating: false, count: ordered.count)
    var columns: [Int: Set<Int>] = [:]
    for position in ordered {
      isDone[position] = true
      for (claim, holder) in taken[position] where !isDone[holder] {
        columns[holder, default: []].formUnion(claim.columns)
      }
    }
    return columns.sorted { $0.key < $1.key }.map { ($0, $1) }
  }

  /// Whether the row of a step can give up a unique value before the row receives its new
  /// values.
  private func isReleasable(_ claim: Claim, by step: ContextPlan.Step) -> Bool {
    guard case .update(let row) = step else { return false }
    return released(row, Set(claim.columns)) != nil
  }

  /// Returns the update that sets optional columns of a row to null before the row
  /// receives its new values.
  private func released(_ row: ContextPlan.Row, _ columns: Set<Int>) -> ContextPlan.Row? {
    let entity = schema.entities[row.entity]
    let columns = row.columns.filter { columns.contains($0) && entity.isOptional(column: $0) }
    return columns.isEmpty ? nil : row.releasing(columns)
  }

  /// Returns the columns of unique keys, by the numbers of the keys, and those of unique links.
  private func uniqueColumns(of entity: CompiledEntity) -> [(key: Int, columns: [Int])] {
    let keys = entity.entity.uniqueKeys.enumerated().map { position, key in
      let columns = entity.columns(ofUniqueKey: key).map { part in
        switch part {
        case .attribute(let index): index
        case .slot(let slot): entity.attributes.count + slot
        }
      }
      return (key: position, columns: columns)
    }
    let links = entity.linkColumns.compactMap { column -> (key: Int, columns: [Int])? in
      guard let inverse = inverse(of: column), !inverse.isToMany else { return nil }
      let index = entity.attributes.count + (column.slot ?? 0)
      return (-1 - index, [index])
    }
    return keys + links
  }

  /// Returns the unique values of a row.
  ///
  /// - Parameter others: The values of the row before or after it changes. Equal values are
  ///   neither given up nor taken, and not returned.
  private func claims(
    of row: ContextPlan.Row, _ values: [CellValue], insteadOf others: [CellValue]? = nil,
    _ uniqueColumns: [(key: Int, columns: [Int])]
  ) -> [Claim] {
    uniqueColumns.compactMap { key, columns in
      // Rows may share a key if one of its values is null.
      if columns.contains(where: { values[$0].isNull }) { return nil }
      if let others, columns.allSatisfy({ values[$0] == others[$0] }) { return nil }
      return Claim(
        entity: row.entity, key: key, columns: columns, values: columns.map { values[$0] })
    }
  }

  /// Returns the deletions that must precede each deletion.
  private func requirements(
    of steps: [ContextPlan.Step], _ deletions: [RowIdentity: Int], _ plan: inout ContextPlan
  ) -> [Int: [Int]] {
    let links = deletions.values.sorted().flatMap { position in
      deletionLinks(of: steps[position].row.handle).compactMap { link in
        deletions[records[link.related].identity].map { related in
          DeletionLink(row: position, related: related, relationship: link.relationship)
        }
      }
    }
    let order = DeletionPlan(deleting: steps.count, links)
    plan.suspended = order.suspended
    for link in order.unlinks {
      plan.severed.append(
        ContextPlan.SeveredLink(
          relationship: link.relationship, row: steps[link.row].row.identity,
          related: steps[link.related].row.identity))
    }
    return Dictionary(grouping: order.requirements, by: \.row).mapValues { $0.map(\.related) }
  }

  /// Returns the rows that the database deletes together with a row, or that
  /// deny its deletion.
  private func deletionLinks(
    of row: Int
  ) -> [(related: Int, relationship: CompiledRelationship)] {
    entity(of: row).relationships.flatMap { relationship -> [(Int, CompiledRelationship)] in
      guard [.cascade, .deny].contains(relationship.deleteRule) else { return [] }
      if let slot = relationship.slot {
        return [records[row].base?.targets[slot]].compactMap { $0 }.map { ($0, relationship) }
      }
      return (records[row].members[relationship.index]?.stored ?? []).map { ($0, relationship) }
    }
  }
}

extension CompiledEntity {
  fileprivate func isOptional(column: Int) -> Bool {
    column < attributes.count
      ? attributes[column].isOptional : linkColumns[column - attributes.count].isOptional
  }
}

/// Returns the indexes in cycles of requirements, and those that require them.
private func unorderable(_ must: [[Int]]) -> [Int] {
  var waiting = must.map(\.count)
  var after = Array(repeating: [Int](), count: must.count)
  for position in must.indices {
    for before in must[position] { after[before].append(position) }
  }
  var ready = must.indices.filter { waiting[$0] == 0 }
  while let next = ready.popLast() {
    for position in after[next] {
      waiting[position] -= 1
      if waiting[position] == 0 { ready.append(position) }
    }
  }
  return must.indices.filter { waiting[$0] > 0 }
}

/// Returns a topological order of indexes. Requirements in `must` are met
/// unless they form a cycle. Requirements in `should` are met unless they
/// conflict. Otherwise, the order is ascending.
package func order(_ must: [[Int]], _ should: [[Int]]) -> [Int] {
  var waiting = must.map(\.count)
  var wishing = should.map(\.count)
  var after = Array(repeating: (must: [Int](), should: [Int]()), count: must.count)
  for position in must.indices {
    for before in must[position] { after[before].must.append(position) }
    for before in should[position] { after[before].should.append(position) }
  }
  var ordered: [Int] = []
  ordered.reserveCapacity(must.count)
  var isDone = Array(repeating: false, count: must.count)
  var ready = must.indices.filter { waiting[$0] == 0 && wishing[$0] == 0 }[...]
  while ordered.count < must.count {
    let next =
      ready.popFirst()
      ?? must.indices.first { !isDone[$0] && waiting[$0] == 0 }
      ?? must.indices.first { !isDone[$0] }
    guard let next else { break }
    if isDone[next] { continue }
    isDone[next] = true
    ordered.append(next)
    for position in after[next].must { waiting[position] -= 1 }
    for position in after[next].should { wishing[position] -= 1 }
    ready += (after[next].must + after[next].should).filter { position in
      !isDone[position] && waiting[position] <= 0 && wishing[position] <= 0
    }
  }
  return ordered
}

/// Divides an order into stages. The elements of a stage are not related to each other.
///
/// - Parameter related: The related elements of each element. A relation has one direction,
///   or both.
/// - Complexity: O(*n* + *m*) for *m* relations.
package func stages(_ ordered: [Int], _ related: [[Int]]) -> [[Int]] {
  var indexes = Array(repeating: 0, count: ordered.count)
  for (index, position) in ordered.enumerated() { indexes[position] = index }
  // The last related element before each element.
  var last = Array(repeating: -1, count: ordered.count)
  for (index, position) in ordered.enumerated() {
    for other in related[position] where other != position {
      let later = max(index, indexes[other])
      last[later] = max(last[later], min(index, indexes[other]))
    }
  }
  var stages: [[Int]] = []
  var start = 0
  for (index, position) in ordered.enumerated() {
    if index == 0 || last[index] >= start {
      stages.append([])
      start = index
    }
    stages[stages.count - 1].append(position)
  }
  return stages
}
