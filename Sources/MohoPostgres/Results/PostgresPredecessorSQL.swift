import MohoRows

/// Writes a query that returns those of the given rows that are in the result, in
/// order, each with its predecessor.
///
/// The predecessor has equal values for the first terms of the order, and the last
/// smaller value for the next one. Because conditions for null differ from those for
/// other values, there is a subquery for each combination of them. Of the subqueries
/// for one number of equal values, only one can find a row.
///
/// If an index satisfies the filter, a subquery looks up one index entry. Otherwise, it
/// tests the rows before the given one. If the first ``maximumTestedRows`` are not in
/// the result, the query returns the row as its own predecessor.
struct PostgresPredecessorSQL {
  private let sql: RequestSQL
  /// The terms that can differ between the rows of the result.
  private let terms: [Term]
  private let sectionTerm: ResultTerm
  /// The columns with constant values that precede the terms in the index.
  private let indexPrefix: Set<String>
  /// Whether the index satisfies the whole filter.
  private let isIndexed: Bool

  private struct Term {
    let column: String
    let isDescending: Bool
    let isOptional: Bool
    let nilsComeFirst: Bool

    /// Whether an ascending index that begins with null has this order, forward or
    /// backward.
    var hasIndexOrder: Bool { !isOptional || nilsComeFirst != isDescending }
  }

  /// The maximum number of combinations.
  private static let limit = 16

  /// Testing this many rows takes about as long as a round trip to the server. Placing
  /// a row without the index takes several.
  private static let maximumTestedRows = 64

  /// - Returns: Nil if no index has the order of the result.
  init?(_ sql: RequestSQL, _ terms: [ResultTerm], _ schema: Schema) {
    guard let first = terms.first else { return nil }
    let fixed = sql.request.constantColumns
    var ordered: [Term] = []
    for term in terms {
      guard let column = term.column else { return nil }
      if fixed.contains(column) { continue }
      if ordered.contains(where: { $0.column == column }) { continue }
      ordered.append(
        Term(
          column: column, isDescending: term.isDescending, isOptional: term.isOptional,
          nilsComeFirst: term.nilsComeFirst))
    }
    guard ordered.last?.column == sql.entity.identityColumn,
      let direction = ordered.last?.isDescending,
      ordered.allSatisfy({ $0.isDescending == direction }),
      ordered.dropFirst().allSatisfy(\.hasIndexOrder),
      let prefix = Self.prefix(of: ordered.map(\.column), after: fixed, of: sql.entity, schema)
    else { return nil }
    self.sql = sql
    self.terms = ordered
    sectionTerm = first
    indexPrefix = prefix
    isIndexed =
      sql.request.fixedColumns(terms).map { $0.isSubset(of: prefix) } ?? false
      && sql.request.filter.conjuncts.allSatisfy(\.comparesSameTypes)
    let count = ordered.indices.reduce(0) { $0 + combinations(before: $1).count }
    guard count <= Self.limit else { return nil }
  }

  /// Returns the fixed columns with which an index begins that then has exactly the
  /// ordered ones, or nil if there is no such index.
  private static func prefix(
    of columns: [String], after fixed: Set<String>, of entity: Entity, _ schema: Schema
  ) -> Set<String>? {
    var indexes = schema.compiled.indexes.filter { $0.table == entity.name }.map(\.columns)
    indexes += entity.uniqueKeys
    indexes.append([])
    let prefixes = indexes.compactMap { index -> Set<String>? in
      // The identity is the last column of each index.
      let index = index.contains(entity.identityColumn) ? index : index + [entity.identityColumn]
      let prefix = index.prefix { fixed.contains($0) && !columns.contains($0) }
      return Array(index.dropFirst(prefix.count)) == columns ? Set(prefix) : nil
    }
    return prefixes.max { $0.count < $1.count }
  }

  /// Returns all combinations of null and other values for the terms before a
  /// position. Each is the set of terms that are null.
  private func combinations(before position: Int) -> [Set<Int>] {
    terms[..<position].indices.filter { terms[$0].isOptional }
      .reduce([[]]) { sets, index in sets + sets.map { $0.union([index]) } }
  }

  /// Returns the query for a list of identities. It selects the identity, the
  /// identity of the predecessor and, if the result is sectioned, the section.
  func query(isSectioned: Bool) throws -> SQLQuery {
    try SQLQuery(sql.entity, sql.dialect) { writer in
      let section =
        isSectioned ? ", (\(try sectionTerm.section(&writer, sql.identity))) AS _moho_s" : ""
      let rows = try rows(&writer)
      let subqueries = terms.indices.reversed().flatMap { position in
        combinations(before: position).flatMap { self.subqueries(position, $0, rows) }
      }
      // The terms of the order have these names in the subqueries.
      let columns = terms.map { "\(sql.column($0.column)) AS \(quotedName($0.column))" }
      let list = "\(sql.identity) = ANY($\(writer.arguments.count + 1)::int8[])"
      let conditions = rows.conditions + [rows.testedFilter, list].compactMap(\.self)
      let order = terms.map { term in
        "r.\(quotedName(term.column))\(term.isDescending ? " DESC" : "")"
          + (term.isOptional ? term.nilsComeFirst ? " NULLS FIRST" : " NULLS LAST" : "")
      }
      return "SELECT \(given), coalesce(\((subqueries + ["NULL"]).joined(separator: ", ")))"
        + (isSectioned ? ", r._moho_s" : "")
        + " FROM (SELECT \(columns.joined(separator: ", "))\(section) \(rows.from)"
        + " WHERE \(conditions.joined(separator: " AND "))) r"
        + " ORDER BY \(order.joined(separator: ", "))"
    }
  }

  /// The identity of the given row.
  private var given: String { "r.\(quotedName(sql.entity.identityColumn))" }

  /// The rows that a subquery reads.
  private struct Rows {
    let from: String
    /// The conditions that an index satisfies.
    let conditions: [String]
    /// The filter that the subquery tests for each row, or nil if the index satisfies it.
    let testedFilter: String?
  }

  private func rows(_ writer: inout SQLWriter) throws -> Rows {
    let filter = sql.request.filter
    writer.searchesByRow = true
    let condition = filter.isAlways ? nil : "(\(try writer.sql(filter)))"
    if isIndexed {
      return Rows(
        from: writer.source.from, conditions: condition.map { [$0] } ?? [], testedFilter: nil)
    }
    var conditions: [String] = []
    for conjunct in filter.conjuncts {
      guard let column = conjunct.constantColumn, indexPrefix.contains(column) else { continue }
      conditions.append(try writer.sql(conjunct))
    }
    return Rows(from: writer.source.from, conditions: conditions, testedFilter: condition)
  }

  /// Returns the queries for the last row before the row `r` that has the same
  /// values for the terms before a position, and another one for the term at the
  /// position.
  ///
  /// - Parameter nulls: The terms before the position whose values are null.
  private func subqueries(_ position: Int, _ nulls: Set<Int>, _ rows: Rows) -> [String] {
    func stored(_ index: Int) -> String { sql.column(terms[index].column) }
    func given(_ index: Int) -> String { "r.\(quotedName(terms[index].column))" }
    var equal = rows.conditions
    for index in 0..<position {
      equal +=
        nulls.contains(index)
        ? ["\(given(index)) IS NULL", "\(stored(index)) IS NULL"]
        : ["\(stored(index)) = \(given(index))"]
    }
    let term = terms[position]
    let (one, other) = (stored(position), given(position))
    func query(_ conditions: [String]) -> String { last(rows, where: equal + conditions) }
    let before = query(["\(one) \(term.isDescending ? ">" : "<") \(other)"])
    if !term.isOptional { return [before] }
    let null =
      term.nilsComeFirst
      ? query(["\(other) IS NOT NULL", "\(one) IS NULL"])
      : query(["\(other) IS NULL", "\(one) IS NOT NULL"])
    return [before, null]
  }

  /// Returns the query for the last row that satisfies conditions.
  private func last(_ rows: Rows, where conditions: [String]) -> String {
    func order(_ column: (String) -> String) -> String {
      terms.map { term in
        column(term.column)
          + (term.isDescending
            ? term.isOptional ? " NULLS FIRST" : ""
            : term.isOptional ? " DESC NULLS LAST" : " DESC")
      }.joined(separator: ", ")
    }
    let ordered = order { sql.column($0) }
    let source = "\(rows.from) WHERE \(conditions.joined(separator: " AND "))"
    guard let testedFilter = rows.testedFilter else {
      return "(SELECT \(sql.identity) \(source) ORDER BY \(ordered) LIMIT 1)"
    }
    let identity = "w.\(quotedName(sql.entity.identityColumn))"
    let columns = terms.map { "\(sql.column($0.column)) AS \(quotedName($0.column))" }
    // The server reads the index only up to the first row that is in the result, because
    // all three parts of the query have the same order.
    return "(SELECT CASE WHEN w._moho_f THEN \(identity) ELSE \(given) END"
      + " FROM (SELECT \(columns.joined(separator: ", ")), \(testedFilter) AS _moho_f,"
      + " row_number() OVER (ORDER BY \(ordered)) AS _moho_n \(source)"
      + " ORDER BY \(ordered) LIMIT \(Self.maximumTestedRows)) w"
      + " WHERE w._moho_f OR w._moho_n = \(Self.maximumTestedRows)"
      + " ORDER BY \(order { "w.\(quotedName($0))" }) LIMIT 1)"
  }
}

extension ResolvedFilter {
  /// Whether the condition is not a comparison of an integer with a floating-point
  /// number, which is the call of a function.
  fileprivate var comparesSameTypes: Bool {
    guard case .comparison(let one, _, let other, as: .plain) = self else { return true }
    return one.type == other.type || one.type != .double && other.type != .double
  }
}
