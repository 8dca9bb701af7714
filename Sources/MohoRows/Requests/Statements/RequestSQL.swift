import MohoMapping

/// The SQL of a request.
package struct RequestSQL {
  package let request: ResolvedRequest
  package let dialect: any SQLDialect

  package var entity: Entity { request.entity }

  /// - Parameter selection: The values to select after the columns.
  /// - Throws: A ``StoreError`` that lists all issues of the request.
  package init(
    _ request: some StoreRequest, _ schema: Schema, _ dialect: any SQLDialect,
    selecting selection: [Operand] = []
  ) throws {
    self.init(try ResolvedRequest(request.rows, schema, selecting: selection), dialect)
  }

  package init(_ request: ResolvedRequest, _ dialect: any SQLDialect) {
    self.request = request
    self.dialect = dialect
    report()
  }

  /// The alias of the entity's table.
  package var alias: String { SQLWriter.alias }

  package var identity: String { column(entity.identityColumn) }

  /// Returns a qualified column of the entity's table.
  package func column(_ name: String) -> String { "\(alias).\(quotedName(name))" }

  /// Returns a statement that selects columns and the selected values of the
  /// rows.
  package func select(_ columns: [String], isOrdered: Bool = true) throws -> SQLQuery {
    try SQLQuery(entity, dialect) { writer in try select(columns, &writer, isOrdered: isOrdered) }
  }

  /// Returns a statement that selects distinct values, sorted by the orderings
  /// of the request and then by all other values.
  package func selectDistinct() throws -> SQLQuery {
    try SQLQuery(entity, dialect) { writer in
      try select([], &writer, isOrdered: true, isDistinct: true)
    }
  }

  /// Returns a statement over a subquery with the selected values, which are
  /// named `g0`, `g1` and so on. The subquery is unordered.
  func aggregate(_ statement: (String) -> String) throws -> SQLQuery {
    try SQLQuery(entity, dialect) { writer in statement(try select([], &writer, isOrdered: false)) }
  }

  package var count: SQLQuery {
    get throws {
      try SQLQuery(entity, dialect) { writer in
        "SELECT count(*) FROM (\(try select([], &writer, isOrdered: false)))\(dialect.subqueryName)"
      }
    }
  }

  package var exists: SQLQuery {
    get throws {
      try SQLQuery(entity, dialect) { writer in
        "SELECT EXISTS (\(try select([], &writer, isOrdered: false)))"
      }
    }
  }

  package var delete: SQLQuery {
    get throws {
      try SQLQuery(entity, dialect) { writer in
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
      terms.append("\(try dialect.selected(&writer, operand)) AS g\(index)")
    }
    // SQL requires at least one column.
    if terms.isEmpty { terms = ["1"] }
    let condition = try condition(&writer)
    // Without the order, the rows of a page would be undefined.
    if isDistinct && dialect.sortsDistinctRowsOutside {
      return try selectDistinct(terms, condition, &writer)
    }
    let order = isOrdered || isPaged ? try self.order(&writer, isDistinct) : ""
    return
      "SELECT \(isDistinct ? "DISTINCT " : "")\(terms.joined(separator: ", "))"
      + " \(writer.source.from)\(condition)\(order)\(try page(&writer))"
  }

  /// Returns the clause with the conditions of the rows.
  private func condition(_ writer: inout SQLWriter) throws -> String {
    guard let limit = request.groupLimit, let count = limit.count else {
      return try filter(&writer)
    }
    guard count > 0 else { return " WHERE \(dialect.never)" }
    let rows = try writer.query { writer in try firstRows(count, per: limit.keys, &writer) }
    return " WHERE \(identity) IN (\(rows))"
  }

  private func filter(_ writer: inout SQLWriter) throws -> String {
    request.filter.isAlways ? "" : " WHERE " + (try writer.sql(request.filter))
  }

  /// Returns a query of the identities of the first rows of each group.
  private func firstRows(
    _ count: Int, per keys: [ResolvedOperand], _ writer: inout SQLWriter
  ) throws -> String {
    var terms: [String] = []
    for key in keys { terms.append(dialect.group(try dialect.selected(&writer, key), key.type)) }
    let groups = terms.isEmpty ? "" : "PARTITION BY " + terms.joined(separator: ", ")
    let number = "row_number() OVER (\(groups)\(try order(&writer, false)))"
    let condition = try filter(&writer)
    let rows = "SELECT \(identity) AS i, \(number) AS n \(writer.source.from)\(condition)"
    let limit = try writer.bind(.int64(Int64(count)))
    return "SELECT i FROM (\(rows))\(dialect.subqueryName) WHERE n <= \(limit)"
  }

  private var isPaged: Bool { request.limit != nil || request.offset > 0 }

  private func page(_ writer: inout SQLWriter) throws -> String {
    guard isPaged else { return "" }
    // The offset is a parameter, because each SQL text has its own cached
    // statement.
    let offset = try writer.bind(.int64(Int64(request.offset)))
    return "\(dialect.limit(request.limit)) OFFSET \(offset)"
  }

  /// Returns a query that sorts distinct rows. The inner query also selects the
  /// values to sort by, which depend only on the selected values.
  private func selectDistinct(
    _ terms: [String], _ condition: String, _ writer: inout SQLWriter
  ) throws -> String {
    var (terms, order) = (terms, [String]())
    for (index, ordering) in request.orderings.enumerated() {
      terms.append("\(try writer.sortValue(ordering)) AS o\(index)")
      order.append("o\(index)\(writer.sortDirection(ordering))")
    }
    let names = request.selection.indices.map { "g\($0)" }
    order += zip(names, request.selection).map { dialect.groupOrder($0, $1.type) }
    let rows = "SELECT DISTINCT \(terms.joined(separator: ", ")) \(writer.source.from)\(condition)"
    return "SELECT \(names.joined(separator: ", ")) FROM (\(rows))\(dialect.subqueryName)"
      + " ORDER BY \(order.joined(separator: ", "))\(try page(&writer))"
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
