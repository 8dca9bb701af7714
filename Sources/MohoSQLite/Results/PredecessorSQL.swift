import MohoRows

/// Writes a query that returns those of the given rows that are in the result,
/// in order, each with its predecessor. SQLite looks up one index entry per
/// term.
///
/// All terms must have the same direction and must not be nil, so that an index
/// can have the order of the result.
struct PredecessorSQL {
  private let sql: RequestSQL
  private let terms: [ResultTerm]
  private let columns: [String]

  /// - Returns: Nil if the terms do not meet these requirements.
  init?(_ sql: RequestSQL, _ terms: [ResultTerm]) {
    let columns = terms.compactMap(\.column)
    guard columns.count == terms.count,
      terms.allSatisfy({ !$0.isOptional && $0.isDescending == terms[0].isDescending })
    else { return nil }
    (self.sql, self.terms, self.columns) = (sql, terms, columns)
  }

  /// Returns the query for the last row that has the given values for all terms
  /// before one term, and that precedes the given value of that term.
  ///
  /// - Parameter value: A closure that returns the SQL for the value of a
  ///   column.
  func predecessor(
    _ position: Int, _ writer: inout SQLWriter, of value: (_ column: Int) -> String
  ) throws -> String {
    let (after, reverse) = terms[0].isDescending ? (">", "") : ("<", " DESC")
    var conditions = sql.request.filter.isAlways ? [] : [try writer.sql(sql.request.filter)]
    conditions += (0..<position).map { "\(sql.column(columns[$0])) = \(value($0))" }
    conditions.append("\(sql.column(columns[position])) \(after) \(value(position))")
    let order = columns[position...].map { sql.column($0) + reverse }.joined(separator: ", ")
    return "SELECT \(sql.identity) \(writer.source.from)"
      + " WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT 1"
  }

  /// Returns the query for a list of identities. It selects the identity, the
  /// identity of the predecessor and, if the result is sectioned, the section.
  func query(isSectioned: Bool) throws -> SQLListQuery {
    // The subqueries look up the predecessor of the row `r`.
    func value(_ column: Int) -> String { "r.\(quotedName(columns[column]))" }
    var tail = ""
    let head = try SQLQuery(sql.entity, sql.dialect) { writer in
      let predecessors = try terms.indices.reversed().map { position in
        "(\(try predecessor(position, &writer, of: value)))"
      }
      let condition =
        sql.request.filter.isAlways ? "" : try writer.sql(sql.request.filter) + " AND "
      let order = terms.indices.map { value($0) + (terms[$0].isDescending ? " DESC" : "") }
      tail = ") AS r ORDER BY \(order.joined(separator: ", "))"
      // `coalesce` requires at least two arguments.
      let first =
        predecessors.count == 1
        ? predecessors[0] : "coalesce(\(predecessors.joined(separator: ", ")))"
      return "SELECT \(value(columns.count - 1)), \(first)"
        + (isSectioned ? ", \(value(0))" : "")
        + " FROM (SELECT \(columns.map(sql.column).joined(separator: ", "))"
        + " \(writer.source.from) WHERE \(condition)\(sql.identity)"
    }
    return SQLListQuery(head.sql, tail: tail, arguments: head.arguments)
  }
}
