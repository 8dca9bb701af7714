import MohoMapping

/// Executes the statements of a ``RowDeleter``.
package protocol DeletionStatements: LinkedRowSource {
  /// Executes a statement with a single argument, which is that of
  /// ``SQLDialect/isInList(_:)``.
  func execute(_ query: SQLQuery) throws

  /// Runs a closure while the rules of some relationships do not deny deletions. Other
  /// transactions must not see this.
  ///
  /// If the closure throws, a savepoint must restore the rules. The engine opens it here,
  /// or around the ``RowDeleter`` and the ``ContextSaver``.
  ///
  /// - Parameter rules: Relationships whose rule is ``DeleteRule/deny``. If there are
  ///   none, the closure only runs.
  /// - Throws: The errors of the closure.
  func suspending(_ rules: [CompiledRelationship], _ body: () throws -> Void) throws
}

/// Deletes rows together with all rows that cascades reach, at any depth and
/// through cycles.
///
/// The rows are collected first, level by level. A rule denies the deletion if a
/// row remains that it protects. The statements then delete the rows in an order
/// in which the database has no cascades of its own left to follow.
package final class RowDeleter {
  private struct Row {
    let entity: Int
    let id: Int64
  }

  /// The number of rounds from which links are removed before rows are deleted.
  private static let roundLimit = 32

  private let statements: any DeletionStatements
  private let schema: CompiledSchema
  private var rows: [Row] = []
  private var positions: [[Int64: Int]]
  private var links: [DeletionLink] = []
  /// The links that deny the deletion, unless the row at their end is deleted too.
  private var denials: [(row: Int, relationship: CompiledRelationship, id: Int64)] = []

  package init(_ statements: any DeletionStatements, _ schema: CompiledSchema) {
    self.statements = statements
    self.schema = schema
    positions = schema.entities.map { _ in [:] }
  }

  /// Deletes rows of an entity.
  ///
  /// - Throws: A ``StoreError`` with the code
  ///   ``StoreError/Code/deniedDeletion``, before any row is deleted.
  package func delete(_ ids: [Int64], of entity: CompiledEntity) throws {
    for id in ids { _ = position(of: id, in: entity.index) }
    try collect()
    for denial in denials {
      guard let related = positions[denial.relationship.destination][denial.id] else {
        // A dangling reference protects no row.
        guard try exists(denial.id, in: denial.relationship.destination) else { continue }
        throw StoreError(deniedBy: denial.relationship)
      }
      links.append(
        DeletionLink(row: denial.row, related: related, relationship: denial.relationship))
    }
    let plan = DeletionPlan(deleting: rows.count, links, roundLimit: Self.roundLimit)
    try statements.suspending(plan.suspended) {
      try unlink(plan.unlinks)
      for round in plan.rounds { try delete(round) }
    }
  }

  private func position(of id: Int64, in entity: Int) -> Int {
    if let position = positions[entity][id] { return position }
    positions[entity][id] = rows.count
    rows.append(Row(entity: entity, id: id))
    return rows.count - 1
  }

  /// Adds the rows that cascades reach.
  private func collect() throws {
    var first = 0
    while first < rows.count {
      let level = first..<rows.count
      first = rows.count
      for (entity, members) in groups(level) {
        let ids = members.map { rows[$0].id }
        for relationship in schema.entities[entity].relationships
        where relationship.deleteRule == .cascade || relationship.deleteRule == .deny {
          try forEachLink(relationship, of: ids) { row, id in
            guard let row = positions[entity][row] else { return }
            if relationship.deleteRule == .deny {
              denials.append((row, relationship, id))
              return
            }
            let related = position(of: id, in: relationship.destination)
            links.append(DeletionLink(row: row, related: related, relationship: relationship))
          }
        }
      }
    }
  }

  private func exists(_ id: Int64, in entity: Int) throws -> Bool {
    let entity = schema.entities[entity]
    let identity = quotedName(entity.identityColumn)
    let sql = """
      SELECT \(identity), \(identity) FROM \(quotedName(entity.name)) \
      WHERE \(statements.dialect.isInList(identity))
      """
    var exists = false
    try statements.forEachRow(
      of: SQLQuery(sql, [statements.dialect.list([id])]), valueCount: 1
    ) { _, _ in exists = true }
    return exists
  }

  private func groups(_ members: some Sequence<Int>) -> [(entity: Int, rows: [Int])] {
    Dictionary(grouping: members) { rows[$0].entity }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  /// Calls a closure with the identities at both ends of each link.
  private func forEachLink(
    _ relationship: CompiledRelationship, of ids: [Int64], _ body: (Int64, Int64) throws -> Void
  ) throws {
    let ends = relationship.linkEnds(in: schema)
    let (row, related) = (quotedName(ends.row), quotedName(ends.related))
    let sql = """
      SELECT \(row), \(related) FROM \(quotedName(ends.table)) \
      WHERE \(statements.dialect.isInList(row)) AND \(related) IS NOT NULL
      """
    try statements.forEachRow(
      of: SQLQuery(sql, [statements.dialect.list(ids)]), valueCount: 1
    ) { row, values in
      if let related = values[0].integer { try body(row, related) }
    }
  }

  private func unlink(_ links: [DeletionLink]) throws {
    for relationship in schema.entities.flatMap(\.relationships) {
      let links = links.filter { $0.relationship == relationship }
      if links.isEmpty { continue }
      let ends = relationship.linkEnds(in: schema)
      let table = quotedName(ends.table)
      let start =
        ends.column.map { "UPDATE \(table) SET \(quotedName($0)) = NULL" }
        ?? "DELETE FROM \(table)"
      let isAtRelated = ends.column == ends.row
      let condition = statements.dialect.isInList(
        quotedName(isAtRelated ? ends.related : ends.row))
      try execute(
        "\(start) WHERE \(condition)", links.map { isAtRelated ? $0.related : $0.row })
    }
  }

  private func delete(_ round: [Int]) throws {
    for (entity, members) in groups(round) {
      let entity = schema.entities[entity]
      let isInList = statements.dialect.isInList(quotedName(entity.identityColumn))
      try execute("DELETE FROM \(quotedName(entity.name)) WHERE \(isInList)", members)
    }
  }

  private func execute(_ sql: String, _ members: [Int]) throws {
    let ids = Set(members).sorted().map { rows[$0].id }
    try statements.execute(SQLQuery(sql, [statements.dialect.list(ids)]))
  }
}
