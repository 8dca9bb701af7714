import MohoMapping

/// Executes the statements that save the plan of a context.
package protocol ContextStatements {
  /// Executes a statement.
  ///
  /// - Returns: Whether a row was written.
  @discardableResult
  func execute(_ write: ContextWrite) throws -> Bool

  /// Executes all statements in order, in fewer round trips to the database.
  ///
  /// - Returns: False, without having changed anything, if an update does not
  ///   write its row, or if the statements have to be executed one by one for
  ///   another reason, such as an error.
  func executeTogether(_ writes: [ContextWrite]) throws -> Bool

  /// Runs a closure while the rules of some relationships do not deny deletions.
  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws
}

extension ContextStatements {
  package func executeTogether(_ writes: [ContextWrite]) throws -> Bool { false }
}

/// Saves the plan of a context, and resolves conflicts.
package final class ContextSaver {
  private let statements: any ContextStatements
  private let schema: CompiledSchema
  private let source: any RowSource
  private let resolver: ConflictResolver
  private var conflicts: [SaveConflict] = []
  private var deleted: Set<RowIdentity> = []
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

  private func execute(_ plan: ContextPlan) throws -> [Int: [CellValue]?] {
    conflicts = plan.conflicts
    let deletable = try checked(plan.steps, plan.restored)
    let isExpected = plan.steps.allSatisfy { step in
      if case .delete(let row) = step { deletable.contains(row.handle) } else { true }
    }
    if isExpected, conflicts.isEmpty, try statements.executeTogether(writes(of: plan)) {
      return resolved
    }
    deleted = []
    do {
      if conflicts.isEmpty {
        for link in plan.unlinks { try statements.execute(.unlink(link)) }
        for link in plan.severed { try statements.execute(.sever(link)) }
      }
      for step in plan.steps {
        switch step {
        case .update(let row): try update(row)
        case .delete(let row):
          guard deletable.contains(row.handle) else { continue }
          try statements.execute(.delete(row))
          deleted.insert(row.identity)
        }
      }
      if conflicts.isEmpty {
        for row in plan.inserts { try statements.execute(.insert(row)) }
        for link in plan.links { try statements.execute(.link(link)) }
        for update in plan.positionUpdates { try statements.execute(.position(update)) }
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
      var (old, new) = (row.old, row.new)
      let theirs = found[row.identity]?.cellValues
      if let theirs { row.cleared.settle(&old, &new, with: theirs) }
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

  /// Returns the statements of a plan whose rows are unchanged in the store.
  private func writes(of plan: ContextPlan) -> [ContextWrite] {
    var writes = plan.unlinks.map { ContextWrite.unlink($0) } + plan.severed.map { .sever($0) }
    for step in plan.steps {
      switch step {
      case .update(let row): writes.append(.update(row, onlyIf: expectedValues(of: row)))
      case .delete(let row):
        writes.append(.delete(row))
        deleted.insert(row.identity)
      }
    }
    writes += plan.inserts.map { .insert($0) }
    writes += plan.links.map { .link($0) }
    return writes + plan.positionUpdates.map { .position($0) }
  }

  /// Returns the values that a row has in the store after the previous steps.
  private func expectedValues(of row: ContextPlan.Row) -> [CellValue] {
    row.old.map { value in
      // If the linked row is deleted, the database has already removed the
      // link.
      if case .row(let target?) = value, deleted.contains(target) {
        CellValue.row(nil)
      } else {
        value
      }
    }
  }

  private func update(_ row: ContextPlan.Row) throws {
    var (old, new) = (expectedValues(of: row), row.new)
    // After a conflict, rows are only compared and not written.
    if conflicts.isEmpty, try statements.execute(.update(row, onlyIf: old)) { return }
    let entity = schema.entities[row.entity]
    let theirs = try source.rows(of: entity, [row.identity]).first?.cellValues
    if let theirs { row.cleared.settle(&old, &new, with: theirs) }
    let resolution = resolver.resolution(
      of: row.identity, keys: entity.columnNames, old: old, mine: new, theirs: theirs)
    switch resolution {
    case .conflict(let conflict): conflicts.append(conflict)
    case .keepTheirs: resolved[row.handle] = .some(theirs)
    case .discard, .delete: resolved[row.handle] = .some(nil)
    case .insertAgain:
      try statements.execute(.insert(row))
      resolved[row.handle] = row.new
    case .write(let values):
      guard conflicts.isEmpty, let theirs else { return }
      resolved[row.handle] = values
      let columns = values.indices.filter { values[$0] != theirs[$0] }
      let merged = ContextPlan.Row(
        handle: row.handle, entity: row.entity, identity: row.identity, old: theirs, new: values,
        columns: columns)
      if !columns.isEmpty { try statements.execute(.update(merged, onlyIf: theirs)) }
    }
  }
}
