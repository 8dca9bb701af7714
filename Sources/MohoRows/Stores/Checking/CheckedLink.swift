/// A column with the identities of other rows, which are checked.
struct CheckedLink {
  let entity: String
  let key: String
  let destination: String
  private let table: String
  private let column: String
  /// The column that identifies the row with the reference.
  private let owner: String
  private let target: String

  fileprivate init?(_ column: TableColumn, of table: CompiledTable, _ schema: CompiledSchema) {
    guard case .link(let destination) = column.content,
      let target = schema.tables.first(where: { $0.name == destination })?.identityColumn
    else { return nil }
    self.destination = destination
    self.target = target
    self.table = table.name
    self.column = column.name
    if let links = schema.linkTables.first(where: { $0.name == table.name }) {
      (entity, key, owner) = (links.source, links.relationship, LinkTable.column(.source))
    } else if let identity = table.identityColumn {
      (entity, key, owner) = (table.name, column.name, identity)
    } else {
      return nil
    }
  }

  /// Returns the number of references in the column to rows that do not exist, and the first
  /// of them with the identities of their rows.
  private func find(
    _ session: any StoreSession, limit: Int
  ) throws -> (count: Int, references: [(row: Int64, target: StoredValue)]) {
    let source = """
      FROM \(quotedName(table)) AS t WHERE t.\(quotedName(column)) IS NOT NULL AND NOT EXISTS \
      (SELECT 1 FROM \(quotedName(destination)) AS d \
      WHERE d.\(quotedName(target)) = t.\(quotedName(column)))
      """
    var count = 0
    try session.forEachRow("SELECT count(*) \(source)", valueCount: 0) { found, _ in
      count = Int(found)
    }
    var references: [(row: Int64, target: StoredValue)] = []
    guard count > 0 else { return (0, references) }
    let columns = "t.\(quotedName(owner)), t.\(quotedName(column))"
    try session.forEachRow(
      "SELECT \(columns) \(source) ORDER BY 1, 2 LIMIT \(limit)", valueCount: 1
    ) { row, values in
      if let target = values.first { references.append((row, target)) }
    }
    return (count, references)
  }

  /// Adds the references in the column to rows that do not exist.
  func check(_ session: any StoreSession, _ limit: Int, into check: inout StoreCheck) throws {
    let found = try find(session, limit: limit)
    check.danglingReferenceCount += found.count
    check.danglingReferences += found.references.compactMap { row, target in
      target.integer.map {
        StoreCheck.DanglingReference(
          entity: entity, key: key, row: row, destination: destination, target: $0)
      }
    }
  }

  /// Returns the references in the column to rows that do not exist. Nil if all rows exist.
  fileprivate func danglingLink(_ session: any StoreSession) throws -> DanglingLink? {
    let found = try find(session, limit: WriteFailures.limit)
    guard found.count > 0 else { return nil }
    return session.schema.danglingLink(
      table: table, column: column,
      rows: found.references.map { ($0, "\($1.content)") }, count: found.count)
  }
}

extension StoreSession {
  /// Returns an error that names the links to rows that do not exist. Nil if all links are
  /// valid.
  ///
  /// - Complexity: Reads all links.
  package func danglingReferences(underlying: (any Error)? = nil) throws -> StoreError? {
    let links = try schema.checkedLinks.compactMap { try $0.danglingLink(self) }
    return schema.error(for: links, underlying: underlying)
  }

  fileprivate func forEachRow(
    _ sql: String, valueCount: Int, _ body: (Int64, [StoredValue]) throws -> Void
  ) throws {
    try linkedRows.forEachRow(of: SQLQuery(sql, []), valueCount: valueCount, body)
  }
}

extension Schema {
  /// All columns with references to rows.
  var checkedLinks: [CheckedLink] {
    compiled.tables.flatMap { table in
      table.linkColumns.compactMap { CheckedLink(table.columns[$0], of: table, compiled) }
    }
  }
}
