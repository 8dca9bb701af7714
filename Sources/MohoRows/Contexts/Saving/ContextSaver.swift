import MohoMapping

/// Executes the statements that save the plan of a context.
package protocol ContextStatements {
  /// Executes a statement of ``ContextWriteSQL``.
  ///
  /// - Returns: Whether a row was written. False for an update if the row does not exist
  ///   or has other values.
  /// - Throws: A ``StoreError`` if a constraint fails, and a `MappingError` if a column
  ///   cannot store a value. ``ContextSaver`` adds the row.
  @discardableResult
  func execute(_ write: ContextWrite) throws -> Bool

  /// The number of statements of a stage that are executed together. 1 if this has no
  /// advantage.
  var batchSize: Int { get }

  /// Executes statements in few round trips to the database. Those of one stage do not depend
  /// on each other, so that one statement can write many rows.
  ///
  /// Called with at least two statements, if ``batchSize`` is greater than 1.
  ///
  /// - Parameter requiresRows: Whether each update must write its row.
  /// - Returns: Whether each statement has written a row, in order; true for those that are no
  ///   updates. Nil, without having changed anything, if a required row is not written, or if
  ///   the statements have to be divided for another reason, such as an error.
  /// - Throws: Errors after which the transaction cannot go on.
  func executeTogether(_ stages: [[ContextWrite]], requiringRows requiresRows: Bool) throws
    -> [Bool]?

  /// Runs a closure while the rules of some relationships do not deny deletions. See
  /// ``DeletionStatements/suspending(_:_:)``.
  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws
}

extension ContextStatements {
  package var batchSize: Int { 1 }

  package func executeTogether(
    _ stages: [[ContextWrite]], requiringRows requiresRows: Bool
  ) throws -> [Bool]? { nil }
}

/// Saves the plan of a context, and resolves conflicts.
package final class ContextSaver {
  private let statements: any ContextStatements
  private let schema: CompiledSchema
  private let source: any RowSource
  private let resolver: ConflictResolver
  private var conflicts: [SaveConflict] = []
  private var deleted: Set<RowIdentity> = []
  /// The columns of updated rows that have been set to null.
  private var released: [Int: [Int]] = [:]
  /// The values of rows that differed from the values that were read, or nil
  /// for deleted rows.
  private var resolved: [Int: [CellValue]?] = [:]

  package init(
    _ statements: any ContextStatements, _ schema: CompiledSchema, _ source: any RowSource,
    _ policy: ConflictPolicy
  ) {
    self.statements = statements
    self.schema = schema
    self.source = source
    resolver = ConflictResolver(policy: policy)
  }

  /// - Returns: The values of rows that were merged with the store, or nil for
  ///   deleted rows.
  /// - Throws: A `ConflictError` with all conflicts, or a `StoreError` if a
  ///   constraint fails.
  package func run(_ plan: ContextPlan) throws -> [Int: [CellValue]?] {
    if plan.suspended.isEmpty { return try execute(plan) }
    var result: [Int: [CellValue]?] = [:]
    try statements.suspending(plan.suspended) { result = try execute(plan) }
    return result
  }

  /// Executes a statement. Its errors name the row.
  @discardableResult
  private func execute(_ write: ContextWrite) throws -> Bool {
    do {
      return try statements.execute(write)
    } catch var error as StoreError {
      error.subject = error.subject ?? "\(write.row)"
      throw error
    } catch let error as MappingError {
      throw error.naming(row: "\(write.row)")
    }
  }

  /// Executes statements that do not depend on each other, several of them together. After a
  /// conflict, updates are not executed.
  ///
  /// - Parameter resolve: Receives updates that have not written their rows, in order.
  private func execute(
    _ writes: [ContextWrite], _ resolve: ([ContextWrite]) throws -> Void = { _ in }
  ) throws {
    for start in stride(from: 0, to: writes.count, by: statements.batchSize) {
      let end = min(start + statements.batchSize, writes.count)
      try execute(part: writes[start..<end], resolve)
    }
  }

  /// Executes statements together. If this fails, the halves are executed one after the other,
  /// in the same way: this finds the first statement that fails.
  ///
  /// - Complexity: O(log *n*) calls of the statements for one that fails.
  private func execute(
    part: ArraySlice<ContextWrite>, _ resolve: ([ContextWrite]) throws -> Void
  ) throws {
    let executed = conflicts.isEmpty ? part : part.filter { !$0.isUpdate }[...]
    var isWritten: [Bool]? = []
    if executed.count > 1 {
      isWritten = try statements.executeTogether([Array(executed)], requiringRows: false)
    } else if let write = executed.first {
      isWritten = [try execute(write)]
    }
    guard let isWritten else {
      let middle = part.startIndex + part.count / 2
      try execute(part: part[..<middle], resolve)
      return try execute(part: part[middle...], resolve)
    }
    let missed =
      executed.count < part.count
      ? part.filter(\.isUpdate)
      : zip(part, isWritten).filter { $0.isUpdate && !$1 }.map(\.0)
    if !missed.isEmpty { try resolve(missed) }
  }

  private func execute(_ plan: ContextPlan) throws -> [Int: [CellValue]?] {
    conflicts = plan.conflicts
    let steps = plan.steps
    let deletable = try checked(steps, plan.restored)
    let isExpected = steps.allSatisfy { step in
      if case .delete(let row) = step { deletable.contains(row.handle) } else { true }
    }
    if isExpected, conflicts.isEmpty, statements.batchSize > 1 {
      let stages = stages(of: plan)
      if stages.reduce(0, { $0 + $1.count }) > 1,
        try statements.executeTogether(stages, requiringRows: true) != nil
      {
        return resolved
      }
      (deleted, released) = ([], [:])
    }
    do {
      if conflicts.isEmpty {
        try execute(plan.unlinks.map { .unlink($0) })
        // A row that the store retains has the links of the store.
        let retained = retainedRows(of: plan, deletable)
        let severed = plan.severed.filter {
          !retained.contains($0.row) && !retained.contains($0.related)
        }
        try execute(severed.map { .sever($0) })
        try release(plan.releases)
      }
      for stage in plan.stages { try execute(stage, deleting: deletable) }
      if conflicts.isEmpty {
        try execute(plan.inserts.map { .insert($0) })
        try execute(plan.links.map { .link($0) })
        try execute(plan.positionUpdates.map { .position($0) })
      }
    } catch let error where conflicts.isEmpty {
      throw error
    } catch {
      // Ignore errors caused by rows that were not written because of a
      // conflict.
    }
    guard conflicts.isEmpty else { throw ConflictError(conflicts: conflicts) }
    return resolved
  }

  /// Returns the handles of the rows that can be deleted, because they are
  /// unchanged in the store or because the policy deletes them.
  ///
  /// The rows are compared before anything is written, because one deletion can
  /// change other rows that are to be deleted.
  private func checked(
    _ steps: [ContextPlan.Step], _ restored: Set<Int>
  ) throws -> Set<Int> {
    let rows = steps.compactMap { step -> ContextPlan.Row? in
      if case .delete(let row) = step { row } else { nil }
    }
    var found: [RowIdentity: FetchedRow] = [:]
    for (entity, rows) in Dictionary(grouping: rows, by: \.entity).sorted(by: { $0.key < $1.key }) {
      for row in try source.rows(of: schema.entities[entity], rows.map(\.identity)) {
        found[row.identity] = row
      }
    }
    let deletable = rows.filter { row in
      var old = row.old
      let theirs = found[row.identity]?.cellValues
      if let theirs { row.cleared.settleDeletion(&old, with: theirs) { found[$0] != nil } }
      if let theirs, restored.contains(row.handle) {
        resolved[row.handle] = .some(theirs)
        return false
      }
      let resolution = resolver.resolution(
        of: row.identity, keys: schema.entities[row.entity].columnNames, old: old, mine: nil,
        theirs: theirs)
      switch resolution {
      case .delete: return true
      case .conflict(let conflict): conflicts.append(conflict)
      case .keepTheirs: resolved[row.handle] = .some(theirs)
      case .discard, .write, .insertAgain: break
      }
      return false
    }
    return Set(deletable.map(\.handle))
  }

  /// Returns the deleted rows that are not deleted in the store.
  private func retainedRows(of plan: ContextPlan, _ deletable: Set<Int>) -> Set<RowIdentity> {
    if plan.severed.isEmpty { return [] }
    return Set(
      plan.steps.compactMap { step in
        guard case .delete(let row) = step, !deletable.contains(row.handle) else { return nil }
        return row.identity
      })
  }

  /// Returns the statements of a plan whose rows are unchanged in the store, in stages.
  private func stages(of plan: ContextPlan) -> [[ContextWrite]] {
    var stages: [[ContextWrite]] = [
      plan.unlinks.map { .unlink($0) }, plan.severed.map { .sever($0) },
      plan.releases.map { .update($0, onlyIf: $0.old) },
    ]
    for row in plan.releases { released[row.handle] = row.columns }
    for stage in plan.stages { stages.append(writes(of: stage)) }
    stages += [plan.inserts.map { .insert($0) }, plan.links.map { .link($0) }]
    stages.append(plan.positionUpdates.map { .position($0) })
    return stages.filter { !$0.isEmpty }
  }

  /// Returns the statements of a stage after the previous ones.
  ///
  /// - Parameter deletable: The handles of the rows to delete, or nil for all rows.
  private func writes(
    of stage: [ContextPlan.Step], deleting deletable: Set<Int>? = nil
  ) -> [ContextWrite] {
    var removed: [RowIdentity] = []
    let writes = stage.compactMap { step -> ContextWrite? in
      switch step {
      case .update(let row): return .update(row, onlyIf: expectedValues(of: row))
      case .delete(let row):
        if deletable?.contains(row.handle) == false { return nil }
        removed.append(row.identity)
        return .delete(row)
      }
    }
    deleted.formUnion(removed)
    return writes
  }

  /// Returns the values that a row has in the store after the previous stages.
  private func expectedValues(of row: ContextPlan.Row) -> [CellValue] {
    if deleted.isEmpty && released.isEmpty { return row.old }
    let values = row.old.map { value in
      // If the linked row is deleted, the database has already removed the
      // link.
      if case .row(let target?) = value, deleted.contains(target) {
        CellValue.row(nil)
      } else {
        value
      }
    }
    return values.replacing(released[row.handle] ?? [], with: \.null)
  }

  /// Sets unique values to null that other rows take, unless the rows have other
  /// values in the store.
  private func release(_ rows: [ContextPlan.Row]) throws {
    for row in rows { released[row.handle] = row.columns }
    try execute(rows.map { .update($0, onlyIf: $0.old) }) { missed in
      let stored = try storedValues(of: missed)
      for case .update(let row, _) in missed {
        var isReleased = false
        if let theirs = stored[row.identity],
          row.columns.allSatisfy({ theirs[$0] == row.old[$0] })
        {
          let update = row.with(old: theirs, new: theirs).releasing(row.columns)
          isReleased = try execute(.update(update, onlyIf: theirs))
        }
        if !isReleased { released[row.handle] = nil }
      }
    }
  }

  /// Returns the stored values of rows that exist.
  private func storedValues(of writes: [ContextWrite]) throws -> [RowIdentity: [CellValue]] {
    var values: [RowIdentity: [CellValue]] = [:]
    var rows: [Int: [RowIdentity]] = [:]
    for case .update(let row, _) in writes { rows[row.entity, default: []].append(row.identity) }
    for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) {
      for row in try source.rows(of: schema.entities[entity], rows) {
        values[row.identity] = row.cellValues
      }
    }
    return values
  }

  private func execute(_ stage: [ContextPlan.Step], deleting deletable: Set<Int>) throws {
    try execute(writes(of: stage, deleting: deletable)) { missed in
      let stored = try storedValues(of: missed)
      let isWriting = conflicts.isEmpty
      var writes: [ContextWrite] = []
      for case .update(let row, let expected) in missed {
        writes += resolve(row, expected, stored[row.identity])
      }
      guard isWriting else { return }
      // An error of a row precedes the conflicts of later rows.
      let found = conflicts
      conflicts = []
      try execute(writes)
      conflicts = found
    }
  }

  /// Resolves a conflict.
  ///
  /// - Parameters:
  ///   - expected: The values that the row should have in the store.
  ///   - stored: The values that it has, or nil if it does not exist.
  /// - Returns: The statement that saves the row, if there was no conflict before.
  private func resolve(
    _ row: ContextPlan.Row, _ expected: [CellValue], _ stored: [CellValue]?
  ) -> [ContextWrite] {
    // Released values are not changes by another writer.
    let columns = released[row.handle] ?? []
    let theirs = stored.map { values in
      columns.reduce(into: values) { $0[$1] = row.old[$1] }
    }
    var old = columns.reduce(into: expected) { $0[$1] = row.old[$1] }
    var new = row.new
    if let theirs { row.cleared.settle(&old, &new, with: theirs) }
    let resolution = resolver.resolution(
      of: row.identity, keys: schema.entities[row.entity].columnNames, old: old, mine: new,
      theirs: theirs)
    let isWriting = conflicts.isEmpty
    switch resolution {
    case .conflict(let conflict): conflicts.append(conflict)
    case .keepTheirs:
      resolved[row.handle] = .some(theirs)
      if isWriting, let theirs, let stored { return update(row, to: theirs, replacing: stored) }
    case .discard, .delete: resolved[row.handle] = .some(nil)
    case .insertAgain:
      resolved[row.handle] = row.new
      if isWriting { return [.insert(row)] }
    case .write(let values):
      resolved[row.handle] = values
      if isWriting, let stored { return update(row, to: values, replacing: stored) }
    }
    return []
  }

  /// Returns the statement that writes the values that differ from the stored values.
  private func update(
    _ row: ContextPlan.Row, to values: [CellValue], replacing stored: [CellValue]
  ) -> [ContextWrite] {
    let columns = values.indices.filter { values[$0] != stored[$0] }
    if columns.isEmpty { return [] }
    return [.update(row.with(old: stored, new: values, columns: columns), onlyIf: stored)]
  }
}

extension ContextPlan.Row {
  fileprivate func with(
    old: [CellValue], new: [CellValue], columns: [Int] = []
  ) -> ContextPlan.Row {
    ContextPlan.Row(
      handle: handle, entity: entity, identity: identity, old: old, new: new, columns: columns)
  }
}
