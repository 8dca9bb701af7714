import MohoMapping

/// Reads the rows that one relation of the given rows refers to, with a single
/// statement.
struct LinkLoad {
  private let link: NodeLink
  private let target: ModelNode
  private let query: LinkQuery
  private let identifying: IdentifyingColumns
  private let source: any LinkedRowSource

  init(_ link: NodeLink, _ schema: CompiledSchema, _ source: any LinkedRowSource) throws {
    self.link = link
    self.source = source
    target = try schema.node(of: link.target)
    query = LinkQuery(link.relationship, schema, source.dialect)
    identifying = IdentifyingColumns(target.entity, schema)
  }

  /// Reads the linked rows.
  ///
  /// - Returns: The rows that had not been read before.
  func load(for rows: [StoredRow], _ loaded: inout LoadedRows) throws -> [StoredRow] {
    link.storage == .column
      ? try loadColumn(of: rows, &loaded) : try loadMembers(of: rows, &loaded)
  }

  /// Reads the rows whose identities are in a column of the given rows.
  private func loadColumn(
    of rows: [StoredRow], _ loaded: inout LoadedRows
  ) throws -> [StoredRow] {
    let identities = rows.compactMap { row -> (row: StoredRow, id: Int64)? in
      row.values[link.index].integer.map { (row, $0) }
    }
    if link.isReference && target.entity.isKeyedByIdentity {
      for (row, id) in identities { row.related[link.index] = [.key(.integer(id))] }
      return []
    }
    var new: [StoredRow] = []
    var items: [Int64: RelatedItem] = [:]
    for (_, id) in identities {
      items[id] = link.isReference ? nil : loaded[target, id].map { .row($0) }
    }
    let missing = Set(identities.map(\.id).filter { items[$0] == nil })
    if !missing.isEmpty {
      try forEachRow(of: missing.sorted(), &loaded, &new) { items[$0] = $1 }
    }
    for (row, id) in identities { row.related[link.index] = items[id].map { [$0] } }
    return new
  }

  /// Reads the rows that store the identities of the given rows, or that are
  /// linked to them by a link table.
  private func loadMembers(
    of rows: [StoredRow], _ loaded: inout LoadedRows
  ) throws -> [StoredRow] {
    var new: [StoredRow] = []
    var members: [Int64: [RelatedItem]] = [:]
    try forEachRow(of: rows.map(\.id), &loaded, &new) { members[$0, default: []].append($1) }
    for row in rows { row.related[link.index] = members[row.id] ?? [] }
    return new
  }

  /// Calls a closure with each linked row and the identity of the row that it
  /// is linked to. Appends the rows that had not been read before.
  private func forEachRow(
    of ids: [Int64], _ loaded: inout LoadedRows, _ new: inout [StoredRow],
    _ body: (Int64, RelatedItem) -> Void
  ) throws {
    let key = identifying.selection(in: LinkQuery.alias)
    let columns =
      !link.isReference ? target.selection(in: LinkQuery.alias) : key.isEmpty ? ["NULL"] : key
    let sql = query.select([query.owner] + columns)
    let rows = SQLQuery(sql, [query.argument(ids)])
    try source.forEachRow(of: rows, valueCount: columns.count) { id, values in
      if link.isReference {
        return body(id, key.count <= 1 ? .key(values[0]) : identifying.reference(from: values))
      }
      let (row, isNew) = loaded.insert(StoredRow(target, values))
      if isNew { new.append(row) }
      body(id, .row(row))
    }
  }
}
