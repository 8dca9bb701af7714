import GRDB
import MohoMapping
import MohoRows

extension SQLiteSession {
  func firstFreeIdentity(of entity: CompiledEntity) throws -> Int64? {
    let identity = quotedName(entity.identityColumn)
    let last = try perform { database in
      try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT max(\(identity)) FROM \(quotedName(entity.name))"))
    }
    return last == .max ? nil : max(1, (last ?? 0) + 1)
  }

  func save(
    _ plan: ContextPlan, resolvingConflictsBy policy: ConflictPolicy
  ) throws -> [Int: [CellValue]?] {
    try perform { try RowSaver($0, schema.compiled, self, policy).run(plan) }
  }
}

/// Executes a plan on a connection, with one prepared statement per entity and
/// set of columns.
private final class RowSaver {
  private let database: Database
  private let schema: CompiledSchema
  private let source: any RowSource
  private let resolver: ConflictResolver
  private var statements: [String: PreparedStatement] = [:]
  private var conflicts: [SaveConflict] = []
  private var deleted: Set<RowIdentity> = []
  /// The values of rows that differed from the values that were read, or nil
  /// for deleted rows.
  private var resolved: [Int: [CellValue]?] = [:]

  init(
    _ database: Database, _ schema: CompiledSchema, _ source: any RowSource,
    _ policy: ConflictPolicy
  ) {
    self.database = database
    self.schema = schema
    self.source = source
    resolver = ConflictResolver(policy: policy)
  }

  /// - Returns: The values of rows that were merged with the store, or nil for
  ///   deleted rows.
  /// - Throws: A `ConflictError` with all conflicts, or a `StoreError` if a
  ///   constraint fails.
  func run(_ plan: ContextPlan) throws -> [Int: [CellValue]?] {
    let deletable = try checked(plan.steps)
    do {
      for link in plan.unlinks { try unlink(link) }
      for step in plan.steps {
        switch step {
        case .update(let row): try update(row)
        case .delete(let row): if deletable.contains(row.handle) { try delete(row) }
        }
      }
      if conflicts.isEmpty {
        for row in plan.inserts { try insert(row) }
        for link in plan.links { try self.link(link) }
        for update in plan.positionUpdates { try write(update) }
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
  private func checked(_ steps: [ContextPlan.Step]) throws -> Set<Int> {
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
      let resolution = resolver.resolution(
        of: row.identity, keys: schema.entities[row.entity].columnNames, old: row.old, mine: nil,
        theirs: found[row.identity]?.cellValues)
      switch resolution {
      case .delete: return true
      case .conflict(let conflict): conflicts.append(conflict)
      case .keepTheirs: resolved[row.handle] = .some(found[row.identity]?.cellValues)
      case .discard, .write, .insertAgain: break
      }
      return false
    }
    return Set(deletable.map(\.handle))
  }

  private func update(_ row: ContextPlan.Row) throws {
    let old = row.old.map { value in
      // If the linked row is deleted, the database has already removed the
      // link.
      if case .row(let target?) = value, deleted.contains(target) {
        CellValue.row(nil)
      } else {
        value
      }
    }
    // After a conflict, rows are only compared and not written.
    if conflicts.isEmpty, try write(row, onlyIf: old) > 0 { return }
    let entity = schema.entities[row.entity]
    let theirs = try source.rows(of: entity, [row.identity]).first?.cellValues
    let resolution = resolver.resolution(
      of: row.identity, keys: entity.columnNames, old: old, mine: row.new, theirs: theirs)
    switch resolution {
    case .conflict(let conflict): conflicts.append(conflict)
    case .keepTheirs: resolved[row.handle] = .some(theirs)
    case .discard, .delete: resolved[row.handle] = .some(nil)
    case .insertAgain:
      try insert(row)
      resolved[row.handle] = row.new
    case .write(let values):
      guard conflicts.isEmpty, let theirs else { return }
      resolved[row.handle] = values
      let columns = values.indices.filter { values[$0] != theirs[$0] }
      let merged = ContextPlan.Row(
        handle: row.handle, entity: row.entity, identity: row.identity, old: theirs, new: values,
        columns: columns)
      if !columns.isEmpty { _ = try write(merged, onlyIf: theirs) }
    }
  }

  /// - Returns: The number of written rows, which is 0 if the stored row
  ///   differs.
  private func write(_ row: ContextPlan.Row, onlyIf old: [CellValue]) throws -> Int {
    let entity = schema.entities[row.entity]
    let columns = row.columns.map { "\($0)" }.joined(separator: " ")
    let statement = try statement("update \(row.entity) \(columns)") {
      let names = entity.columnNames
      let assignments = row.columns.map { "\(quotedName(names[$0])) = ?" }
      let conditions = names.indices.map { index in
        let collation =
          entity.entity.attribute(names[index])?.type == .decimal
          ? DecimalText.collationClause : ""
        return "\(quotedName(names[index]))\(collation) IS ?"
      }
      let identity = "\(quotedName(entity.identityColumn)) = ?"
      return """
        UPDATE \(quotedName(entity.name)) SET \(assignments.joined(separator: ", ")) \
        WHERE \(([identity] + conditions).joined(separator: " AND "))
        """
    }
    var values = row.columns.map { row.new[$0].content }
    values.append(.int64(row.identity.stored ?? 0))
    values += old.map(\.content)
    return try execute(statement, values, about: row.identity)
  }

  private func insert(_ row: ContextPlan.Row) throws {
    let entity = schema.entities[row.entity]
    let hasIdentity = entity.identityAttribute != nil
    let statement = try statement("insert \(row.entity)") {
      let names = (hasIdentity ? [] : [entity.identityColumn]) + entity.columnNames
      return """
        INSERT INTO \(quotedName(entity.name)) (\(names.map(quotedName).joined(separator: ", "))) \
        VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        """
    }
    let identity: [FieldContent] = hasIdentity ? [] : [.int64(row.identity.stored ?? 0)]
    _ = try execute(statement, identity + row.new.map(\.content), about: row.identity)
  }

  private func delete(_ row: ContextPlan.Row) throws {
    let entity = schema.entities[row.entity].entity
    let statement = try statement("delete \(row.entity)") {
      "DELETE FROM \(quotedName(entity.name)) WHERE \(quotedName(entity.identityColumn)) = ?"
    }
    _ = try execute(statement, [.int64(row.identity.stored ?? 0)], about: row.identity)
    deleted.insert(row.identity)
  }

  private func link(_ link: ContextPlan.TableLink) throws {
    let (source, target) = (LinkTable.column(.source), LinkTable.column(.target))
    let statement = try statement("link \(link.table.name)") {
      "INSERT OR IGNORE INTO \(quotedName(link.table.name)) (\(source), \(target)) VALUES (?, ?)"
    }
    _ = try execute(
      statement, [link.source, link.target].map { .int64($0.stored ?? 0) }, about: link.source)
  }

  private func unlink(_ link: ContextPlan.TableLink) throws {
    let (source, target) = (LinkTable.column(.source), LinkTable.column(.target))
    let statement = try statement("unlink \(link.table.name)") {
      "DELETE FROM \(quotedName(link.table.name)) WHERE \(source) = ? AND \(target) = ?"
    }
    _ = try execute(
      statement, [link.source, link.target].map { .int64($0.stored ?? 0) }, about: link.source)
  }

  private func write(_ update: ContextPlan.PositionUpdate) throws {
    let identity = FieldContent.int64(update.row.stored ?? 0)
    switch update.column {
    case .entity(let index, let column):
      let entity = schema.entities[index].entity
      let statement = try statement("position \(index) \(column)") {
        "UPDATE \(quotedName(entity.name)) SET \(quotedName(column)) = ?"
          + " WHERE \(quotedName(entity.identityColumn)) = ?"
      }
      _ = try execute(statement, [.int64(update.position), identity], about: update.row)
    case .table(let table, let end, let owner):
      guard let column = table.positionColumn(for: end) else { return }
      let statement = try statement("position \(table.name) \(column)") {
        "UPDATE \(quotedName(table.name)) SET \(quotedName(column)) = ?"
          + " WHERE \(LinkTable.column(end)) = ? AND \(LinkTable.column(end.other)) = ?"
      }
      _ = try execute(
        statement, [.int64(update.position), .int64(owner.stored ?? 0), identity],
        about: update.row)
    }
  }

  private func statement(_ name: String, _ sql: () -> String) throws -> PreparedStatement {
    if let statement = statements[name] { return statement }
    let statement = try PreparedStatement(database, sql(), reusesMemory: true)
    statements[name] = statement
    return statement
  }

  private func execute(
    _ statement: PreparedStatement, _ values: [FieldContent], about row: RowIdentity
  ) throws -> Int {
    statement.clearBindings()
    try statement.bind(values)
    do {
      try statement.execute()
    } catch let error as DatabaseError {
      throw StoreError(error, subject: "\(row)")
    }
    return statement.changesCount
  }
}
