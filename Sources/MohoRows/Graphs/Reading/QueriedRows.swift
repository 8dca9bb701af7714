import MohoMapping

/// Checks the identities and links of rows that an SQL query of an app returns.
/// The query can return any values; those of tables refer to rows.
struct QueriedRows {
  private let rows: [StoredRow]

  init(among rows: [StoredRow]) { self.rows = rows.filter { !$0.isFromTable } }

  /// Checks that the rows with to-many relations are stored.
  ///
  /// - Throws: A ``StoreError`` for the first identity without a row.
  func checkIdentities(_ source: any LinkedRowSource) throws {
    guard let first = rows.first else { return }
    let node = first.node
    let needsIdentity = node.links.contains { link in
      link.storage != .column && !first.lacks(link.index)
    }
    guard needsIdentity else { return }
    let ids = try rows.map { row in
      guard let id = row.identity.integer else { throw Self.error(row.identity, node) }
      return id
    }
    let query = LinkQuery(of: node.entity, source.dialect)
    var stored: Set<Int64> = []
    let sql = SQLQuery(query.select([query.owner]), [query.argument(Set(ids).sorted())])
    try source.forEachRow(of: sql, valueCount: 0) { id, _ in stored.insert(id) }
    if let missing = ids.first(where: { !stored.contains($0) }) {
      throw Self.error(.integer(missing), node)
    }
  }

  private static func error(_ found: StoredValue, _ node: ModelNode) -> StoreError {
    StoreError(
      .invalidRequest, subject: "`\(node.name)`",
      reason: "the SQL returns \(found) as `\(node.entity.identityColumn)`, expected the identity "
        + "of a stored row",
      suggestion: "select the column of the table, or fetch partial models without it")
  }

  /// Checks that the columns of to-one relations refer to rows, which have been
  /// read.
  ///
  /// - Throws: A `MappingError` with all columns of the first row that do not.
  func checkColumns(_ schema: CompiledSchema) throws {
    for row in rows {
      let errors = row.node.links.compactMap { link -> MappingError? in
        guard link.storage == .column, !row.lacks(link.index) else { return nil }
        let value = row.values[link.index]
        guard value != .null, row.related[link.index]?.isEmpty != false else { return nil }
        let key = row.node.table.keys[link.index].name
        return MappingError(
          value.integer == nil ? .invalidType : .invalidValue, model: row.node.name, key: key,
          path: FieldPath([.key(row.node.name), .key("\(row.id)"), .key(key)]),
          found: "\(value)",
          expected: "identity of a row of `\(schema.entities[link.relationship.destination].name)`")
      }
      if let error = MappingError(errors) { throw error }
    }
  }
}
