import GRDB
import GRDBSQLite
import MohoMapping

/// Reads what one relation of some rows leads to, by one statement.
struct LinkLoad {
  private let link: NodeLink
  private let target: ModelNode
  private let database: Database

  init(_ link: NodeLink, _ target: ModelNode, _ database: Database) {
    self.link = link
    self.target = target
    self.database = database
  }

  /// Reads what the rows are linked to.
  ///
  /// - Returns: The rows that were not known.
  func load(for rows: [StoredRow], _ known: inout KnownRows) throws -> [StoredRow] {
    switch link.link {
    case .column: try loadColumn(of: rows, &known)
    case .inverseColumn(let inverse, let position):
      try loadMembers(
        of: rows, &known, owner: "t.\(quoted(inverse))", position.map { "t.\(quoted($0))" })
    case .table(let table, let end):
      try loadMembers(
        of: rows, &known, owner: "l.\(LinkTable.column(end))",
        table.position(seenFrom: end).map { "l.\($0)" },
        join:
          " JOIN \(quoted(table.name)) AS l ON l.\(LinkTable.column(end.other)) = t.\(target.identity)"
      )
    }
  }

  /// The rows that columns of the rows themselves hold the identities of.
  private func loadColumn(
    of rows: [StoredRow], _ known: inout KnownRows
  ) throws -> [StoredRow] {
    let identities = rows.compactMap { row -> (row: StoredRow, id: Int64)? in
      guard case .integer(let id) = row.values[link.index] else { return nil }
      return (row, id)
    }
    if link.isReference && target.isKeyedByIdentity {
      for (row, id) in identities { row.related[link.index] = [.key(.integer(id))] }
      return []
    }
    var new: [StoredRow] = []
    var items: [Int64: RelatedItem] = [:]
    for (_, id) in identities {
      items[id] = link.isReference ? nil : known[target, id].map { .row($0) }
    }
    let missing = Set(identities.map(\.id).filter { items[$0] == nil })
    if !missing.isEmpty {
      try forEachRow("t.\(target.identity)", in: missing.sorted(), order: nil) { id, statement in
        let (item, row) = self.item(from: statement, &known)
        items[id] = item
        new += row.map { [$0] } ?? []
      }
    }
    for (row, id) in identities { row.related[link.index] = items[id].map { [$0] } }
    return new
  }

  /// The rows that hold the identities of the rows, or share links with them.
  private func loadMembers(
    of rows: [StoredRow], _ known: inout KnownRows, owner: String, _ position: String?,
    join: String = ""
  ) throws -> [StoredRow] {
    var new: [StoredRow] = []
    var members: [Int64: [RelatedItem]] = [:]
    let order = [owner, position.map { "\($0) NULLS LAST" }, "t.\(target.identity)"]
    try forEachRow(
      owner, in: rows.map(\.id), join: join,
      order: order.compactMap { $0 }.joined(separator: ", ")
    ) { id, statement in
      let (item, row) = self.item(from: statement, &known)
      members[id, default: []].append(item)
      new += row.map { [$0] } ?? []
    }
    for row in rows { row.related[link.index] = members[row.id] ?? [] }
    return new
  }

  /// What a statement stands on, and the row if it was not known.
  private func item(
    from statement: OpaquePointer, _ known: inout KnownRows
  ) -> (item: RelatedItem, new: StoredRow?) {
    if link.isReference { return (.key(StoredValue(statement, 1)), nil) }
    let (row, isNew) = known.insert(StoredRow(target, statement, from: 1))
    return (.row(row), isNew ? row : nil)
  }

  private func forEachRow(
    _ owner: String, in ids: [Int64], join: String = "", order: String?,
    _ body: (Int64, OpaquePointer) throws -> Void
  ) throws {
    let unique = target.entity.uniqueAttribute.map { "t.\(quoted($0.name))" } ?? "NULL"
    let columns = link.isReference ? unique : target.selection(from: "t")
    // One parameter for any number of identities: each number of parameters
    // would be a statement of its own.
    let sql = """
      SELECT \(owner), \(columns) FROM \(quoted(target.name)) AS t\(join) \
      WHERE \(owner) IN (SELECT value FROM json_each(?))\(order.map { " ORDER BY \($0)" } ?? "")
      """
    let list = "[\(ids.map { "\($0)" }.joined(separator: ","))]"
    var steps = try RowSteps(database, sql: sql, [list.databaseValue])
    while try steps.next() {
      try body(sqlite3_column_int64(steps.statement, 0), steps.statement)
    }
  }
}
