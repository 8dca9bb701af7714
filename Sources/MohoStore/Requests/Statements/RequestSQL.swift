import GRDB
import MohoMapping

/// A request as SQL.
struct RequestSQL {
  let request: ResolvedRequest

  var entity: Entity { request.entity }

  /// - Parameter selection: Values that are fetched behind columns.
  /// - Throws: ``StoreError`` that lists all that is wrong with the request.
  init(
    _ request: some StoreRequest, _ schema: Schema, selecting selection: [Operand] = []
  ) throws {
    self.request = try ResolvedRequest(request.rows, schema, selecting: selection)
  }

  /// The name of the entity's table in the statements.
  var alias: String { SQLWriter.alias }

  var identity: String { column(entity.identityColumn) }

  /// A column of the entity's table.
  func column(_ name: String) -> String { "\(alias).\(quoted(name))" }

  /// Columns of the rows in their order, and the values that are selected.
  func select(_ columns: [String]) throws -> BoundSQL {
    try BoundSQL(entity) { writer in try select(columns, &writer, isOrdered: true) }
  }

  /// The distinct values that are selected, in the request's order, then by
  /// each other.
  func selectDistinct() throws -> BoundSQL {
    try BoundSQL(entity) { writer in try select([], &writer, isOrdered: true, isDistinct: true) }
  }

  /// What is made of the query of the selected values, which have the names
  /// `g0`, `g1` and so on. The query's rows are in no order.
  func aggregate(_ statement: (String) -> String) throws -> BoundSQL {
    try BoundSQL(entity) { writer in statement(try select([], &writer, isOrdered: false)) }
  }

  var count: BoundSQL {
    get throws {
      try BoundSQL(entity) { writer in
        "SELECT count(*) FROM (\(try select([], &writer, isOrdered: false)))"
      }
    }
  }

  var exists: BoundSQL {
    get throws {
      try BoundSQL(entity) { writer in
        "SELECT EXISTS (\(try select([], &writer, isOrdered: false)))"
      }
    }
  }

  var delete: BoundSQL {
    get throws {
      try BoundSQL(entity) { writer in
        "DELETE FROM \(quoted(entity.name)) WHERE \(quoted(entity.identityColumn)) IN"
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
    // A query of no columns is none.
    if terms.isEmpty { terms = ["1"] }
    let condition = request.filter.isAlways ? "" : " WHERE " + (try writer.sql(request.filter))
    let isPaged = request.limit != nil || request.offset > 0
    // Which rows a page has depends on their order.
    let order = isOrdered || isPaged ? try self.order(&writer, isDistinct) : ""
    var page = ""
    if isPaged {
      // Statements are kept: one for each offset would be many.
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

/// A statement and the values bound to it.
struct BoundSQL {
  let sql: String
  let arguments: [DatabaseValue]

  init(_ entity: Entity, _ body: (inout SQLWriter) throws -> String) rethrows {
    var writer = SQLWriter(entity)
    sql = try body(&writer)
    arguments = writer.arguments
  }
}
