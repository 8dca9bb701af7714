import GRDB

/// Makes the statement that says of rows whether they are in a result, in which
/// order, and behind which row each comes: all by one look-up in an index for
/// each term, inside SQLite.
///
/// It serves where all terms have one direction and no value is null, so that
/// the index holds the rows in the order of the result.
struct PlacingSQL {
  private let sql: RequestSQL
  private let terms: [ResultTerm]
  private let columns: [String]

  /// - Returns: Nil where the terms are of no such kind.
  init?(_ sql: RequestSQL, _ terms: [ResultTerm]) {
    let columns = terms.compactMap(\.column)
    guard columns.count == terms.count,
      terms.allSatisfy({ !$0.isOptional && $0.isDescending == terms[0].isDescending })
    else { return nil }
    (self.sql, self.terms, self.columns) = (sql, terms, columns)
  }

  /// The last row among those that have the values of a place in the terms
  /// before one, and come before it by that.
  ///
  /// - Parameter place: The value that the place has of a column.
  func predecessor(
    _ position: Int, _ writer: inout SQLWriter, at place: (_ column: Int) -> String
  ) throws -> String {
    let (after, reverse) = terms[0].isDescending ? (">", "") : ("<", " DESC")
    var conditions = sql.request.filter.isAlways ? [] : [try writer.sql(sql.request.filter)]
    conditions += (0..<position).map { "\(sql.column(columns[$0])) = \(place($0))" }
    conditions.append("\(sql.column(columns[position])) \(after) \(place(position))")
    let order = columns[position...].map { sql.column($0) + reverse }.joined(separator: ", ")
    return "SELECT \(sql.identity) \(writer.source.from)"
      + " WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT 1"
  }

  /// Of each of some rows that are in the result: its identity, the row that it
  /// comes behind, and the value of its section.
  func statement(isSectioned: Bool) throws -> ListStatement {
    // The row that is placed, as against those that it is looked up among.
    func place(_ column: Int) -> String { "r.\(quoted(columns[column]))" }
    var tail = ""
    let head = try BoundSQL(sql.entity) { writer in
      let predecessors = try terms.indices.reversed().map { position in
        "(\(try predecessor(position, &writer, at: place)))"
      }
      let condition =
        sql.request.filter.isAlways ? "" : try writer.sql(sql.request.filter) + " AND "
      let order = terms.indices.map { place($0) + (terms[$0].isDescending ? " DESC" : "") }
      tail = ") AS r ORDER BY \(order.joined(separator: ", "))"
      // Which takes two arguments at least.
      let first =
        predecessors.count == 1
        ? predecessors[0] : "coalesce(\(predecessors.joined(separator: ", ")))"
      return "SELECT \(place(columns.count - 1)), \(first)"
        + (isSectioned ? ", \(place(0))" : "")
        + " FROM (SELECT \(columns.map(sql.column).joined(separator: ", "))"
        + " \(writer.source.from) WHERE \(condition)\(sql.identity)"
    }
    return ListStatement(head.sql, tail: tail, binding: head.arguments)
  }
}
