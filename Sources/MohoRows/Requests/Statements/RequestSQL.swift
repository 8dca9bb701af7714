import MohoMapping

/// The SQL of a request.
package struct RequestSQL {
  package let request: ResolvedRequest

  package var entity: Entity { request.entity }

  /// - Parameter selection: The values to select after the columns.
  /// - Throws: A ``StoreError`` that lists all issues of the request.
  package init(
    _ request: some StoreRequest, _ schema: Schema, selecting selection: [Operand] = []
  ) throws {
    self.request = try ResolvedRequest(request.rows, schema, selecting: selection)
  }

  /// The alias of the entity's table.
  package var alias: String { SQLWriter.alias }

  package var identity: String { column(entity.identityColumn) }

  /// Returns a qualified column of the entity's table.
  package func column(_ name: String) -> String { "\(alias).\(quotedName(name))" }

  /// Returns a statement that selects columns and the selected values of the
  /// rows, in order.
  package func select(_ columns: [String]) throws -> SQLQuery {
    try SQLQuery(entity) { writer in try select(columns, &writer, isOrdered: true) }
  }

  /// Returns a statement that selects distinct values, sorted by the orderings
  /// of the request and then by all other values.
  package func selectDistinct() throws -> SQLQuery {
    try SQLQuery(entity) { writer in try select([], &writer, isOrdered: true, isDistinct: true) }
  }

  /// Returns a statement over a subquery with the selected values, which are
  /// named `g0`, `g1` and so on. The subquery is unordered.
  func aggregate(_ statement: (String) -> String) throws -> SQLQuery {
    try SQLQuery(entity) { writer in statement(try select([], &writer, isOrdered: false)) }
  }

  package var count: SQLQuery {
    get throws {
      try SQLQuery(entity) { writer in
        "SELECT count(*) FROM (\(try select([], &writer, isOrdered: false)))"
      }
    }
  }

  package var exists: SQLQuery {
    get throws {
      try SQLQuery(entity) { writer in
        "SELECT EXISTS (\(try select([], &writer, isOrdered: false)))"
      }
    }
  }

  package var delete: SQLQuery {
    get throws {
      try SQLQuery(entity) { writer in
        "DELETE FROM \(quotedName(entity.name)) WHERE \(quotedName(entity.identityColumn)) IN"
          + " (\(try select([identity], &writer, isOrdered: false)))"
      }
    }
  }

  private func select(
    _ columns: [String], _ writer: inout SQLWriter, isOrdered: Bool, isDistinct: Bool = false
  ) throws -> String {
    var terms = columns
    for (index, operand) in request.selection.enumerated() {
      terms.append("\(try writer.sql(operand)) AS g\(index)")
    }
    // SQL requires at least one column.
    if terms.isEmpty { terms = ["1"] }
    let condition = request.filter.isAlways ? "" : " WHERE " + (try writer.sql(request.filter))
    let isPaged = request.limit != nil || request.offset > 0
    // Without the order, the rows of a page would be undefined.
    let order = isOrdered || isPaged ? try self.order(&writer, isDistinct) : ""
    var page = ""
    if isPaged {
      // The offset is a parameter, because each SQL text has its own cached
      // statement.
      let offset = try writer.bind(.int64(Int64(request.offset)))
      page = " LIMIT \(request.limit ?? -1) OFFSET \(offset)"
    }
    return
      "SELECT \(isDistinct ? "DISTINCT " : "")\(terms.joined(separator: ", "))"
      + " \(writer.source.from)\(condition)\(order)\(page)"
  }

  private func order(_ writer: inout SQLWriter, _ isDistinct: Bool) throws -> String {
    var terms: [String] = []
    for ordering in request.orderings { terms.append(try writer.sortKey(ordering)) }
    if isDistinct {
      terms += request.selection.indices.map { "g\($0)" }
    } else {
      terms.append(request.isIdentityDescending ? identity + " DESC" : identity)
    }
    return " ORDER BY " + terms.joined(separator: ", ")
  }
}
