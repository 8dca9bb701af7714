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

  /// Executes all statements in order, in fewer round trips to the database.
  ///
  /// - Returns: False, without having changed anything, if an update does not
  ///   write its row, or if the statements have to be executed one by one for
  ///   another reason, such as an error.
  /// - Throws: Errors after which the transaction cannot go on.
  func executeTogether(_ writes: [ContextWrite]) throws -> Bool

  /// Runs a closure while the rules of some relationships do not deny deletions. See
  /// ``DeletionStatements/suspending(_:_:)``.
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

  private func execute(_ plan: ContextPlan) throws -> [Int: [CellValue]?] {
    conflicts = plan.conflicts
    let deletable = try checked(plan.steps, plan.restored)
    let isExpected = plan.steps.allSatisfy { step in
      if case .delete(let row) = step { deletable.contains(row.handle) } else { true }
    }
    if isExpected, conflicts.isEmpty, try statements.executeTogether(writes(of: plan)) {
      return resolved
    }
    (deleted, released) = ([], [:])
    do {
      if conflicts.isEmpty {
        for link in plan.unlinks { try execute(.unlink(link)) }
        for link in plan.severed { try execute(.sever(link)) }
        for row in plan.releases { try release(row) }
      }
      for step in plan.steps {
        switch step {
        case .update(let row): try update(row)
        case .delete(let row):
          guard deletable.contains(row.handle) else { continue }
          try execute(.delete(row))
          deleted.insert(row.identity)
        }
      }
      if conflicts.isEmpty {
        for row in plan.inserts { try execute(.insert(row)) }
        for link in plan.links { try execute(.link(link)) }
        for update in plan.positionUpdates { try execute(.position(update)) }
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

  /// Returns the statements of a plan whose rows are unchanged in the store.
  private func writes(of plan: ContextPlan) -> [ContextWrite] {
    var writes = plan.unlinks.map { ContextWrite.unlink($0) } + plan.severed.map { .sever($0) }
    for row in plan.releases {
      writes.append(.update(row, onlyIf: row.old))
      released[row.handle] = row.columns
    }
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

  /// Sets unique values to null that other rows take, unless the row has other
  /// values in the store.
  private func release(_ row: ContextPlan.Row) throws {
    var isReleased = try execute(.update(row, onlyIf: row.old))
    if !isReleased, let theirs = try storedValues(of: row),
      row.columns.allSatisfy({ theirs[$0] == row.old[$0] })
    {
      let update = row.with(old: theirs, new: theirs).releasing(row.columns)
      isReleased = try execute(.update(update, onlyIf: theirs))
    }
    if isReleased { released[row.handle] = row.columns }
  }

  private func storedValues(of row: ContextPlan.Row) throws -> [CellValue]? {
    try source.rows(of: schema.entities[row.entity], [row.identity]).first?.cellValues
  }

  private func update(_ row: ContextPlan.Row) throws {
    let expected = expectedValues(of: row)
    // After a conflict, rows are only compared and not written.
    if conflicts.isEmpty, try execute(.update(row, onlyIf: expected)) { return }
    let stored = try storedValues(of: row)
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
    switch resolution {
    case .conflict(let conflict): conflicts.append(conflict)
    case .keepTheirs:
      resolved[row.handle] = .some(theirs)
      if let theirs { try write(theirs, to: row, replacing: stored) }
    case .discard, .delete: resolved[row.handle] = .some(nil)
    case .insertAgain:
      try execute(.insert(row))
      resolved[row.handle] = row.new
    case .write(let values):
      guard conflicts.isEmpty else { return }
      resolved[row.handle] = values
      try write(values, to: row, replacing: stored)
    }
  }

  /// Writes the values that differ from the stored values.
  private func write(
    _ values: [CellValue], to row: ContextPlan.Row, replacing stored: [CellValue]?
  ) throws {
    guard conflicts.isEmpty, let stored else { return }
    let columns = values.indices.filter { values[$0] != stored[$0] }
    if columns.isEmpty { return }
    let update = row.with(old: stored, new: values, columns: columns)
    try execute(.update(update, onlyIf: stored))
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
