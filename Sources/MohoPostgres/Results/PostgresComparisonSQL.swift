import MohoRows

/// Writes the query that compares pairs of rows.
///
/// Values are compared like in `ORDER BY`, with nil first or last according to the
/// ordering. If all other values are equal, the identity decides.
struct PostgresComparisonSQL {
  private let terms: [ResultTerm]

  init(_ terms: [ResultTerm]) { self.terms = terms }

  /// Returns the query. Its additional parameters are the identities of all rows, and
  /// those of the first and of the second row of each pair. For each pair, it selects
  /// whether the first row precedes the second one. False if one of them does not
  /// exist.
  func query(_ sql: RequestSQL) throws -> SQLQuery {
    try SQLQuery(sql.entity, sql.dialect) { writer in
      var values = ["\(sql.identity) AS id"]
      for (index, term) in terms.enumerated() {
        values.append("(\(try term.value(&writer, sql.identity))) AS k\(index)")
      }
      let first = writer.arguments.count + 1
      // The values of each row are read once.
      return "WITH r AS MATERIALIZED (SELECT \(values.joined(separator: ", "))"
        + " \(writer.source.from) WHERE \(sql.identity) = ANY($\(first)::int8[]))"
        + " SELECT a.id IS NOT NULL AND b.id IS NOT NULL AND coalesce(\(precedes(from: 0)), false)"
        + " FROM unnest($\(first + 1)::int8[], $\(first + 2)::int8[])"
        + " WITH ORDINALITY p(one, other, n)"
        + " LEFT JOIN r a ON a.id = p.one LEFT JOIN r b ON b.id = p.other ORDER BY p.n"
    }
  }

  private func precedes(from position: Int) -> String {
    let term = terms[position]
    let (one, other) = ("a.k\(position)", "b.k\(position)")
    let isBefore = "\(one) \(term.isDescending ? ">" : "<") \(other)"
    guard position + 1 < terms.count else { return isBefore }
    let nils =
      " WHEN \(one) IS NULL THEN \(term.nilsComeFirst)"
      + " WHEN \(other) IS NULL THEN \(!term.nilsComeFirst)"
    return "CASE WHEN \(one) IS NOT DISTINCT FROM \(other) THEN \(precedes(from: position + 1))"
      + "\(term.isOptional ? nils : "") ELSE \(isBefore) END"
  }
}
