import GRDB

/// The statements that find the row before a place by an index on what a result
/// is ordered by, one value after the other.
///
/// Each looks one entry of the index up, whatever the directions of the
/// orderings and wherever they have nil.
struct ProbeStatements: Sendable {
  /// The statements of one term. All have the values of the terms before as
  /// their first further parameters.
  struct Level: Sendable {
    /// The value next before another one, which is the last parameter.
    let before: KeptQuery
    /// The last value that is not nil.
    let last: KeptQuery
    /// Whether there is nil.
    let null: KeptQuery
  }

  let levels: [Level]

  /// The statement that finds the places of rows by itself, or nil where one
  /// does not serve.
  let placing: ListStatement?

  /// - Returns: Nil where no index serves.
  init?(
    _ sql: RequestSQL, _ terms: [ResultTerm], isSectioned: Bool, _ database: Database
  ) throws {
    guard let fixed = Self.fixedColumns(sql.request, terms) else { return nil }
    let columns = terms.compactMap(\.column)
    guard columns.count == terms.count, Set(columns).count == columns.count else { return nil }

    var placing = PlacingSQL(sql, terms)
    var levels: [Level] = []
    for position in terms.indices {
      let (before, last, null) = try Self.level(position, sql, terms, columns)
      levels.append(
        Level(before: KeptQuery(before), last: KeptQuery(last), null: KeptQuery(null)))
      let equal = fixed.union(columns[..<position])
      let compared = columns[position]
      // Of rows that are equal in a unique key, there is one.
      let isDecided = fixed.contains(compared) || (position > 0 && position + 1 == terms.count)
      var plans = [(before, equal, isDecided ? [] : [compared])]
      if position > 0 { plans.append((last, equal, [])) }
      if terms[position].isOptional { plans.append((null, equal.union([compared]), [])) }
      func isLookUp(_ statement: BoundSQL, _ equal: Set<String>, _ ranges: [String]) throws -> Bool
      {
        try QueryPlan(of: statement.sql, database)
          .looksUp(equal: equal, ranges: ranges, identity: sql.entity.identityColumn)
      }
      guard try plans.allSatisfy(isLookUp) else { return nil }
      guard let placement = placing else { continue }
      let predecessor = try BoundSQL(sql.entity) { writer in
        try placement.predecessor(position, &writer) { _ in "?" }
      }
      if try !isLookUp(predecessor, equal, isDecided ? [] : [compared]) { placing = nil }
    }
    self.levels = levels
    self.placing = try placing?.statement(isSectioned: isSectioned)
  }

  /// The columns that conditions hold to one value, or nil where there are
  /// conditions for which rows would have to be looked at one by one.
  private static func fixedColumns(
    _ request: ResolvedRequest, _ terms: [ResultTerm]
  ) -> Set<String>? {
    var columns: Set<String> = []
    for condition in request.filter.conjuncts {
      guard case .comparison(let operand, let comparison, .constant, as: .plain) = condition,
        let name = operand.ownKey
      else { return nil }
      switch comparison {
      case .equal: columns.insert(name)
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        if name != terms[0].column { return nil }
      case .notEqual: return nil
      }
    }
    return columns
  }

  private static func level(
    _ position: Int, _ sql: RequestSQL, _ terms: [ResultTerm], _ columns: [String]
  ) throws -> (before: BoundSQL, last: BoundSQL, null: BoundSQL) {
    let (term, column) = (terms[position], sql.column(columns[position]))
    func statement(
      _ value: String, _ rest: String, where condition: (_ parameter: Int) -> String?
    ) throws -> BoundSQL {
      try BoundSQL(sql.entity) { writer in
        var conditions = sql.request.filter.isAlways ? [] : [try writer.sql(sql.request.filter)]
        let first = writer.arguments.count + 1
        conditions += columns[..<position].enumerated().map { offset, name in
          "\(sql.column(name)) IS ?\(first + offset)"
        }
        conditions += [condition(first + position)].compactMap { $0 }
        let all = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return "SELECT \(value) \(writer.source.from)\(all)\(rest) LIMIT 1"
      }
    }
    let order = " ORDER BY \(column)\(term.isDescending ? "" : " DESC")"
    return (
      before: try statement(column, order) { "\(column) \(term.isDescending ? ">" : "<") ?\($0)" },
      last: try statement(column, order) { _ in
        term.isOptional ? "\(column) IS NOT NULL" : nil
      },
      null: try statement("1", "") { _ in "\(column) IS NULL" }
    )
  }
}

extension QueryPlan {
  init(of sql: String, _ database: Database) throws {
    // The values of parameters have no part in the plan.
    let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
    statement.setUncheckedArguments(StatementArguments())
    self.init(
      try Row.fetchAll(statement).map {
        QueryPlan.Step(id: $0["id"], parent: $0["parent"], detail: $0["detail"])
      })
  }

  /// Whether one entry of an index is looked up by these columns and no others.
  fileprivate func looksUp(equal: Set<String>, ranges: [String], identity: String) -> Bool {
    guard steps.count == 1, steps[0].detail.hasPrefix("SEARCH \(SQLWriter.alias) USING ") else {
      return false
    }
    let detail = steps[0].detail
    func has(_ column: String, _ signs: [String]) -> Bool {
      let name = column == identity ? "rowid" : column
      return signs.contains {
        detail.contains("(\(name)\($0)?") || detail.contains(" \(name)\($0)?")
      }
    }
    return equal.allSatisfy { has($0, ["="]) } && ranges.allSatisfy { has($0, ["<", ">"]) }
  }
}
