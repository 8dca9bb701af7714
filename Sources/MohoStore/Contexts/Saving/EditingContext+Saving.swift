extension EditingContext {
  /// Saves what was changed: to the store, or to the parent where there is one.
  ///
  /// Everything is checked before anything is written. Rows that have not
  /// changed cost nothing. Of a row that has, the changed columns are written,
  /// and only if the store still has the values that were read; links in tables
  /// of their own are added and removed one by one, so that those that others
  /// make meanwhile stay.
  ///
  /// Wholly or not at all: where it throws, context and store are as they were.
  /// Inside of ``ModelStore/write(_:)`` the changes are part of that
  /// transaction; if it fails later, the context does not know.
  ///
  /// Values that rows exchange among each other in a circle, where they must be
  /// unique, need two savings.
  ///
  /// - Throws: ``ValidationError`` with all that is wrong with the rows,
  ///   ``ConflictError`` with all that have changed in the store,
  ///   ``StoreError``, and what closures of ``willSave(_:)`` throw.
  public func save() throws {
    guard depth == 0 else {
      throw StoreError(
        .invalidRequest, reason: "the context is being changed or saved already",
        suggestion: "save once that is done")
    }
    undoStack.seal()
    try operation {
      try runWillSave()
      var pending = graph.pending
      guard !pending.isEmpty else { return }
      let uncounted = graph.relationshipsToCount(of: pending)
      for (relationship, rows) in uncounted { try loadMembers(rows, relationship) }
      // What was linked here may be linked in the store already.
      if !uncounted.isEmpty { pending = graph.pending }
      let saved: SavedRows
      if let parent {
        try check(pending)
        saved = try parent.receive(self)
      } else {
        saved = try write(pending)
      }
      let identities = saved.identities.map { (graph[$0].identity, $1) }
      for (row, _) in saved.identities { self.saved[graph[row].identity] = row }
      graph.markSaved(saved)
      markRefreshed(Array(saved.merged.keys))
      rename(identities)
    }
    undoStack.seal()
  }

  private func runWillSave() throws {
    let handlers = observers.beforeSaving
    var rounds = 0
    while !handlers.isEmpty {
      let mark = graph.journal.count
      for handler in handlers { try handler(self) }
      if graph.journal.count == mark { return }
      rounds += 1
      guard rounds < 100 else {
        throw StoreError(
          .invalidRequest, reason: "closures of `willSave` change rows each time they are called",
          suggestion: "change a row only where it needs it")
      }
    }
  }

  /// - Throws: ``ValidationError`` with all that is wrong.
  private func check(_ pending: [Int]) throws {
    var failures = graph.failures(of: pending)
    let keys = Dictionary(grouping: failures, by: \.row).mapValues { Set($0.flatMap(\.keys)) }
    failures += try ruleFailures(of: pending, besides: keys)
    failures += try uniquenessFailures(of: pending)
    guard !failures.isEmpty else { return }
    let order = failures.enumerated().sorted { one, other in
      (one.element.row, one.offset) < (other.element.row, other.offset)
    }
    throw ValidationError(failures: order.map(\.element))
  }

  private func write(_ pending: [Int]) throws -> SavedRows {
    try store.write { writer in
      // In the transaction, so that nobody takes a unique value meanwhile.
      try check(pending)
      return try writer.reader.perform { database in
        var firstFree: [Int: Int64] = [:]
        for entity in graph.entitiesNeedingIdentities(of: pending) {
          firstFree[entity] = try RowSaver.firstFree(of: layout.entities[entity], database)
        }
        let plan = try graph.plan(saving: pending, firstFree: firstFree)
        let resolved = try RowSaver(database, layout, source, conflictPolicy).run(plan)
        return SavedRows(plan, resolved, &graph)
      }
    }
  }

  /// Child contexts follow rows to their new identities.
  private func rename(_ identities: [(RowIdentity, RowIdentity)]) {
    guard !identities.isEmpty else { return }
    for child in children.compactMap(\.context) {
      for (old, new) in identities {
        guard let row = child.graph.handles[old] else { continue }
        child.graph.rename(row, to: new)
        child.saved[old] = row
      }
      child.rename(identities)
    }
  }
}

extension SavedRows {
  /// - Parameter resolved: What rows have become that were not as they were
  ///   read; nil of those that are gone.
  fileprivate init(
    _ plan: ContextPlan, _ resolved: [Int: [CellValue]?], _ graph: inout ContextGraph
  ) {
    identities = plan.identities
    positions = plan.positions
    for (row, values) in resolved {
      if let values {
        merged[row] = graph.values(values, of: row, plan.identities)
      } else {
        gone.insert(row)
      }
    }
  }
}

extension ContextGraph {
  /// The values of a row's columns as the context has them.
  mutating func values(
    _ columns: [CellValue], of row: Int, _ new: [Int: RowIdentity] = [:]
  ) -> RowValues {
    let entity = entity(of: row)
    let count = entity.entity.attributes.count
    let renamed = Dictionary(new.map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    return RowValues(
      attributes: columns.prefix(count).map(\.content),
      targets: zip(entity.columns, columns.dropFirst(count)).map { column, value in
        guard case .row(let identity?) = value else { return nil }
        return renamed[identity] ?? handle(for: identity, entity: column.destination)
      })
  }
}
