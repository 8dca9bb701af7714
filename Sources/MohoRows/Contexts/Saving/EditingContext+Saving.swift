extension EditingContext {
  /// Saves the changes to the store, or to the parent of a child context.
  ///
  /// All changes are validated before the first one is written. After that, the
  /// rules of models that contain changed rows are checked with the values that
  /// are stored then, including models that the context has not read. Unchanged
  /// rows take no time. For a changed row, only the changed columns are written,
  /// and only if the store still contains the values that were read. Links that
  /// were added and removed one by one are merged with concurrent changes. Links
  /// that were assigned or moved conflict with them.
  ///
  /// If the method throws, the context and the store are unchanged. Inside
  /// `ModelStore.write(_:)`, the changes are part of that transaction. The
  /// context does not notice if the transaction fails later.
  ///
  /// Rows can exchange one-to-one links and optional unique values. Rows that
  /// exchange required unique values in a cycle must be saved in two steps.
  ///
  /// - Throws: A ``RowValidationError`` with all invalid values and all
  ///   assignments that a ``ModelRow`` has refused since the last call, a
  ///   ``ConflictError`` with all conflicts, a ``StoreError``, or an error of a
  ///   closure of ``willSave(_:)``.
  public func save() throws {
    guard depth == 0 else {
      throw StoreError(
        .invalidRequest, reason: "the context is already being changed or saved",
        suggestion: "save after that call has returned")
    }
    undoStack.seal()
    try operation {
      try runWillSave()
      let refused = refusedAssignments
      refusedAssignments = []
      guard graph.hasPending || !refused.isEmpty else { return }
      for (relationship, rows) in graph.relationshipsToCount() {
        try loadMembers(rows, relationship)
      }
      if !refused.isEmpty { try check(refused) }
      let saved = try restoringLinks {
        guard let parent else { return try write() }
        let settled = try settleLinks()
        try check()
        return try parent.receive(self, settled)
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
          .invalidRequest, reason: "`willSave` closures change rows on every call",
          suggestion: "change a row only if its value differs")
      }
    }
  }

  /// - Parameter refused: The assignments that rows have refused.
  /// - Throws: A ``RowValidationError`` with all invalid values and all refused
  ///   assignments.
  private func check(_ refused: [ValidationFailure] = []) throws {
    let affected = graph.affected
    var failures = refused + graph.failures(of: affected)
    let keys = Dictionary(grouping: failures, by: \.row).mapValues { Set($0.flatMap(\.keys)) }
    failures += try uniquenessFailures(of: affected)
    failures += try ruleFailures(of: affected, besides: keys, isRefused: !failures.isEmpty)
    guard !failures.isEmpty else { return }
    throw RowValidationError(sorting: failures)
  }

  private func write() throws -> SavedRows {
    do {
      return try write(afterCollision: false)
    } catch let error as StoreError where error.isAboutNewIdentity {
      return try write(afterCollision: true)
    }
  }

  /// - Parameter afterCollision: Whether the identity of a new row was that of a row
  ///   which the context has not inserted.
  private func write(afterCollision: Bool) throws -> SavedRows {
    try store.write(author: author) { writer in
      // Validate inside the transaction, so that no other connection can take a
      // unique value before the rows are written.
      try write(settleLinks(), to: writer, afterCollision: afterCollision)
    }
  }

  /// Runs a closure that saves. If it throws, links that it has merged with the
  /// store or the parent are restored.
  private func restoringLinks(_ save: () throws -> SavedRows) throws -> SavedRows {
    defer { unmerged = nil }
    do {
      return try save()
    } catch {
      if let unmerged { graph = unmerged }
      throw error
    }
  }

  private func write(
    _ settled: SettledLinks, to writer: StoreWriter, afterCollision: Bool
  ) throws -> SavedRows {
    if settled.conflicts.isEmpty { try check() }
    let (session, pending) = (writer.session, graph.pending)
    var identities: [Int: [Int64]] = [:]
    for (entity, count) in graph.numbersOfNewIdentities(of: pending) {
      identities[entity] = try session.newIdentities(
        of: schema.entities[entity], count: count, afterCollision: afterCollision)
    }
    var plan = try graph.plan(saving: pending, newIdentities: identities)
    plan.conflicts = settled.conflicts
    plan.restored = settled.restored
    let resolved = try checkingRules(of: plan, writer) {
      try session.save(plan, resolvingConflictsBy: conflictPolicy)
    }
    writer.report(plan)
    return SavedRows(plan, resolved, &graph)
  }

  /// Updates the identities of saved rows in child contexts.
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

extension StoreError {
  /// Whether a row already has the identity that the store has chosen for a new row.
  fileprivate var isAboutNewIdentity: Bool {
    code == .notUnique && keys == [ReservedName.identity]
  }
}

extension SavedRows {
  /// - Parameter resolved: The values of rows that differed from the values
  ///   that were read, or nil for deleted rows.
  fileprivate init(
    _ plan: ContextPlan, _ resolved: [Int: [CellValue]?], _ graph: inout ContextGraph
  ) {
    identities = plan.identities
    positions = plan.positions
    let new = Dictionary(
      plan.identities.map { ($1, $0) }, uniquingKeysWith: { one, _ in one })
    for (row, values) in resolved {
      if let values {
        merged[row] = graph.values(values, of: row, new)
      } else {
        gone.insert(row)
      }
    }
  }
}

extension ContextGraph {
  /// Returns the values of a row's columns with handles instead of identities.
  ///
  /// - Parameter renamed: The handles of new rows, by their identities.
  mutating func values(
    _ columns: [CellValue], of row: Int, _ renamed: [RowIdentity: Int] = [:]
  ) -> RowValues {
    let entity = entity(of: row)
    let count = entity.attributes.count
    return RowValues(
      attributes: columns.prefix(count).map(\.content),
      targets: zip(entity.linkColumns, columns.dropFirst(count)).map { column, value in
        guard case .row(let identity?) = value else { return nil }
        return renamed[identity] ?? handle(for: identity, entity: column.destination)
      })
  }
}
