import MohoRows

extension Schema {
  /// Whether rows can refer to other rows.
  var hasReferences: Bool { compiled.tables.contains { !$0.linkColumns.isEmpty } }

  /// Returns an error that names the links to rows that do not exist, or nil if all
  /// links are valid.
  func danglingReferences(
    on connection: PostgresConnection, _ underlying: (any Error)?
  ) throws -> StoreError? {
    var links: [DanglingLink] = []
    for table in compiled.tables {
      let identity = table.identityColumn ?? ReservedName.identity
      for column in table.linkColumns.map({ table.columns[$0] }) {
        guard case .link(let destination) = column.content,
          let target = compiled.tables.first(where: { $0.name == destination })?.identityColumn
        else { continue }
        let rows = try connection.query(
          """
          SELECT t.\(quotedName(identity)), t.\(quotedName(column.name)), count(*) OVER ()
          FROM \(connection.qualified(table.name)) t
          WHERE t.\(quotedName(column.name)) IS NOT NULL AND NOT EXISTS (
            SELECT FROM \(connection.qualified(destination)) d
            WHERE d.\(quotedName(target)) = t.\(quotedName(column.name)))
          ORDER BY 1 LIMIT \(WriteFailures.limit)
          """
        ).rows.map { (row: Int64?($0.int64(0)), value: "\($0.int64(1))", count: $0.int(2)) }
        guard let first = rows.first else { continue }
        links.append(
          danglingLink(
            table: table.name, column: column.name, rows: rows.map { ($0.row, $0.value) },
            count: first.count))
      }
    }
    return error(for: links, underlying: underlying)
  }
}
