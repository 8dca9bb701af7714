import MohoMapping
import MohoRows

/// The queries that read a result.
///
/// In all queries but ``scan``, the identities of rows are an additional parameter
/// after those of the request.
struct PostgresResultSQL: Sendable {
  /// Selects the identities of all rows in order, with their sections.
  let scan: SQLQuery
  /// Selects the identities of those rows that are in the result, in order, with
  /// their sections and the selected values.
  let members: SQLQuery
  /// Selects the identities of rows in order, also of those that are not in the
  /// result. Results with the same order have the same query.
  let order: SQLQuery
  /// Like ``members``, but each row has its predecessor, which is looked up in an
  /// index. Nil if no index supports this.
  let predecessors: SQLQuery?

  init(
    _ sql: RequestSQL, _ terms: [ResultTerm], isSectioned: Bool, _ schema: Schema
  ) throws {
    let identity = sql.identity
    func query(
      among isListed: Bool, where filter: ResolvedFilter?, isSectioned: Bool,
      selecting selection: [ResolvedOperand] = []
    ) throws -> SQLQuery {
      try SQLQuery(sql.entity, sql.dialect) { writer in
        writer.searchesByRow = isListed
        var columns = [identity]
        if isSectioned { columns.append("(\(try terms[0].section(&writer, identity)))") }
        for operand in selection { columns.append(try sql.dialect.selected(&writer, operand)) }
        var conditions: [String] = []
        if let filter, !filter.isAlways { conditions.append("(\(try writer.sql(filter)))") }
        let order = try terms.map { try $0.sortKey(&writer, identity) }
        if isListed {
          conditions.append("\(identity) = ANY($\(writer.arguments.count + 1)::int8[])")
        }
        // The joins are known after all values have been written.
        return "SELECT \(columns.joined(separator: ", ")) \(writer.source.from)"
          + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))")
          + " ORDER BY \(order.joined(separator: ", "))"
      }
    }
    let filter = sql.request.filter
    scan = try query(among: false, where: filter, isSectioned: isSectioned)
    members = try query(
      among: true, where: filter, isSectioned: isSectioned, selecting: sql.request.selection)
    order = try query(among: true, where: nil, isSectioned: false)
    predecessors = try PostgresPredecessorSQL(sql, terms, schema)?.query(isSectioned: isSectioned)
  }
}
