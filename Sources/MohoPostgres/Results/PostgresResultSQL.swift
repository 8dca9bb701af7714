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
  /// their sections.
  let evaluation: SQLQuery
  /// Selects the identities of those rows that are in the result.
  let members: SQLQuery
  /// Selects the identities of those rows that are in the result, in order, with
  /// their predecessors and sections. All rows of the result are sorted.
  let ranks: SQLQuery
  /// Like ``ranks``, but each predecessor is looked up in an index. Nil if no index
  /// supports this.
  let predecessors: SQLQuery?
  /// Selects, for pairs of rows, whether the first one precedes the second one. See
  /// ``PostgresComparisonSQL``.
  let comparison: SQLQuery

  init(
    _ sql: RequestSQL, _ terms: [ResultTerm], isSectioned: Bool, _ schema: Schema
  ) throws {
    let (filter, identity) = (sql.request.filter, sql.identity)
    func query(
      isOrdered: Bool = true,
      _ text: (_ query: (select: String, from: String, order: String, list: String)) -> String
    ) throws -> SQLQuery {
      try SQLQuery(sql.entity, sql.dialect) { writer in
        var (select, condition, order) = ("", "", "")
        if isSectioned && isOrdered {
          select = ", (\(try terms[0].section(&writer, identity))) AS s"
        }
        if !filter.isAlways { condition = " WHERE (\(try writer.sql(filter)))" }
        if isOrdered {
          order = try terms.map { try $0.sortKey(&writer, identity) }.joined(separator: ", ")
          order = "ORDER BY " + order
        }
        // The joins are known after all values have been written.
        return text(
          (
            select: select, from: writer.source.from + condition, order: order,
            list: "ANY($\(writer.arguments.count + 1)::int8[])"
          ))
      }
    }
    let and = filter.isAlways ? "WHERE" : "AND"
    let section = isSectioned ? ", r.s" : ""
    scan = try query { "SELECT \(identity)\($0.select) \($0.from) \($0.order)" }
    evaluation = try query {
      "SELECT \(identity)\($0.select) \($0.from) \(and) \(identity) = \($0.list) \($0.order)"
    }
    members = try query(isOrdered: false) {
      "SELECT \(identity) \($0.from) \(and) \(identity) = \($0.list)"
    }
    ranks = try query {
      "SELECT r.id, r.p\(section) FROM (SELECT \(identity) AS id, lag(\(identity)) OVER w AS p,"
        + " row_number() OVER w AS n\($0.select) \($0.from) WINDOW w AS (\($0.order))) r"
        + " WHERE r.id = \($0.list) ORDER BY r.n"
    }
    comparison = try PostgresComparisonSQL(terms).query(sql)
    predecessors = try PostgresPredecessorSQL(sql, terms, schema)?.query(isSectioned: isSectioned)
  }
}
