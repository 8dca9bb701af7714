import MohoRows

/// The queries that find the predecessor of a row in an index on the terms of a
/// result, term by term.
///
/// Each query looks up one index entry. The terms can have any directions and
/// positions of nil.
struct PredecessorLookupSQL {
  let levels: [TermLookup<SQLQuery>]

  /// The query that finds the predecessors of a list of rows, or nil if no
  /// index supports it.
  let predecessors: SQLListQuery?

  /// - Parameter plan: A closure that returns the plan of a query.
  /// - Returns: Nil if no index supports the queries.
  init?(
    _ sql: RequestSQL, _ terms: [ResultTerm], isSectioned: Bool,
    plan: (SQLQuery) throws -> QueryPlan
  ) throws {
    guard let fixed = sql.request.fixedColumns(terms) else { return nil }
    let columns = terms.compactMap(\.column)
    guard columns.count == terms.count, Set(columns).count == columns.count else { return nil }

    var predecessors = PredecessorSQL(sql, terms)
    var levels: [TermLookup<SQLQuery>] = []
    for position in terms.indices {
      let level = try Self.level(position, sql, terms, columns)
      levels.append(level)
      let equal = fixed.union(columns[..<position])
      let compared = columns[position]
      // If the value is unique, no range condition is needed: at most one row
      // has it.
      let isDecided = fixed.contains(compared) || (position > 0 && position + 1 == terms.count)
      var lookups = [(level.before, equal, isDecided ? [] : [compared])]
      if position > 0 { lookups.append((level.last, equal, [])) }
      if terms[position].isOptional {
        lookups.append((level.null, equal.union([compared]), []))
      }
      func isLookup(_ query: SQLQuery, _ equal: Set<String>, _ ranges: [String]) throws -> Bool {
        try plan(query).looksUp(
          equal: equal, ranges: ranges, identity: sql.entity.identityColumn)
      }
      guard try lookups.allSatisfy(isLookup) else { return nil }
      guard let candidate = predecessors else { continue }
      let query = try SQLQuery(sql.entity, sql.dialect) { writer in
        try candidate.predecessor(position, &writer) { _ in "?" }
      }
      if try !isLookup(query, equal, isDecided ? [] : [compared]) { predecessors = nil }
    }
    self.levels = levels
    self.predecessors = try predecessors?.query(isSectioned: isSectioned)
  }

  private static func level(
    _ position: Int, _ sql: RequestSQL, _ terms: [ResultTerm], _ columns: [String]
  ) throws -> TermLookup<SQLQuery> {
    let (term, column) = (terms[position], sql.column(columns[position]))
    func query(
      _ value: String, _ rest: String, where condition: (_ parameter: Int) -> String?
    ) throws -> SQLQuery {
      try SQLQuery(sql.entity, sql.dialect) { writer in
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
    return TermLookup(
      before: try query(column, order) { "\(column) \(term.isDescending ? ">" : "<") ?\($0)" },
      last: try query(column, order) { _ in term.isOptional ? "\(column) IS NOT NULL" : nil },
      null: try query("1", "") { _ in "\(column) IS NULL" })
  }
}

/// The statements that look up one term. Their first additional parameters are
/// the values of the preceding terms.
struct TermLookup<Statement> {
  /// Selects the value directly before another value, which is the last
  /// parameter.
  let before: Statement
  /// Selects the last value that is not nil.
  let last: Statement
  /// Selects a row if there is one with nil.
  let null: Statement

  func map<Other>(_ transform: (Statement) throws -> Other) rethrows -> TermLookup<Other> {
    try TermLookup<Other>(
      before: transform(before), last: transform(last), null: transform(null))
  }
}

extension TermLookup: Sendable where Statement: Sendable {}

extension QueryPlan {
  /// Returns whether the plan looks up a single index entry by these columns.
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
