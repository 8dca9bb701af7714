import MohoRows

/// Writes a query that returns those of the given rows that are in the result, in
/// order, each with its predecessor. PostgreSQL looks up one index entry per
/// term.
///
/// The predecessor has equal values for the first terms of the order, and the last
/// smaller value for the next one. Because conditions for null differ from those for
/// other values, there is a subquery for each combination of them. Of the subqueries
/// for one number of equal values, only one can find a row.
struct PostgresPredecessorSQL {
  private let sql: RequestSQL
  /// The terms that can differ between the rows of the result.
  private let terms: [Term]
  private let sectionTerm: ResultTerm

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

  /// - Returns: Nil if no index has the order of the result.
  init?(_ sql: RequestSQL, _ terms: [ResultTerm], _ schema: Schema) {
    guard let fixed = sql.request.fixedColumns(terms), let first = terms.first else { return nil }
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
    // At most one row has the fixed identity.
    guard let direction = ordered.last?.isDescending,
      ordered.allSatisfy({ $0.isDescending == direction }),
      ordered.dropFirst().allSatisfy(\.hasIndexOrder),
      Self.hasIndex(on: ordered.map(\.column), after: fixed, of: sql.entity, schema)
    else { return nil }
    self.sql = sql
    self.terms = ordered
    sectionTerm = first
    let count = ordered.indices.reduce(0) { $0 + combinations(before: $1).count }
    guard count <= Self.limit else { return nil }
  }

  /// Whether an index begins with some of the fixed columns, and then has exactly the
  /// ordered ones.
  private static func hasIndex(
    on columns: [String], after fixed: Set<String>, of entity: Entity, _ schema: Schema
  ) -> Bool {
    var indexes = schema.compiled.indexes.filter { $0.table == entity.name }.map(\.columns)
    indexes += entity.uniqueKeys
    indexes.append([])
    return indexes.contains { index in
      // The identity is the last column of each index.
      let index = index.contains(entity.identityColumn) ? index : index + [entity.identityColumn]
      return Array(index.drop { fixed.contains($0) && !columns.contains($0) }) == columns
    }
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
      let filter = sql.request.filter
      let conditions = filter.isAlways ? [] : ["(\(try writer.sql(filter)))"]
      let from = writer.source.from
      let subqueries = terms.indices.reversed().flatMap { position in
        combinations(before: position).flatMap { nulls in
          self.subqueries(position, nulls, from, conditions)
        }
      }
      // The terms of the order have these names in the subqueries.
      let columns = terms.map { "\(sql.column($0.column)) AS \(quotedName($0.column))" }
      let list = "\(sql.identity) = ANY($\(writer.arguments.count + 1)::int8[])"
      let order = terms.map { term in
        "r.\(quotedName(term.column))\(term.isDescending ? " DESC" : "")"
          + (term.isOptional ? term.nilsComeFirst ? " NULLS FIRST" : " NULLS LAST" : "")
      }
      return "SELECT r.\(quotedName(sql.entity.identityColumn)),"
        + " coalesce(\((subqueries + ["NULL"]).joined(separator: ", ")))"
        + (isSectioned ? ", r._moho_s" : "")
        + " FROM (SELECT \(columns.joined(separator: ", "))\(section) \(from)"
        + " WHERE \((conditions + [list]).joined(separator: " AND "))) r"
        + " ORDER BY \(order.joined(separator: ", "))"
    }
  }

  /// Returns the queries for the last row before the row `r` that has the same
  /// values for the terms before a position, and another one for the term at the
  /// position.
  ///
  /// - Parameter nulls: The terms before the position whose values are null.
  private func subqueries(
    _ position: Int, _ nulls: Set<Int>, _ from: String, _ filter: [String]
  ) -> [String] {
    func stored(_ index: Int) -> String { sql.column(terms[index].column) }
    func given(_ index: Int) -> String { "r.\(quotedName(terms[index].column))" }
    var equal = filter
    for index in 0..<position {
      equal +=
        nulls.contains(index)
        ? ["\(given(index)) IS NULL", "\(stored(index)) IS NULL"]
        : ["\(stored(index)) = \(given(index))"]
    }
    let order = terms.map { term in
      "\(sql.column(term.column))"
        + (term.isDescending
          ? term.isOptional ? " NULLS FIRST" : ""
          : term.isOptional ? " DESC NULLS LAST" : " DESC")
    }
    func query(_ conditions: [String]) -> String {
      "(SELECT \(sql.identity) \(from) WHERE \((equal + conditions).joined(separator: " AND "))"
        + " ORDER BY \(order.joined(separator: ", ")) LIMIT 1)"
    }
    let term = terms[position]
    let (one, other) = (stored(position), given(position))
    let before = query(["\(one) \(term.isDescending ? ">" : "<") \(other)"])
    if !term.isOptional { return [before] }
    let null =
      term.nilsComeFirst
      ? query(["\(other) IS NOT NULL", "\(one) IS NULL"])
      : query(["\(other) IS NULL", "\(one) IS NOT NULL"])
    return [before, null]
  }
}
