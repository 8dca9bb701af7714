import MohoRows

/// Writes the query that returns whether a row precedes another one.
///
/// Values are compared like in `ORDER BY`, with nil first or last according to the
/// ordering. If all other values are equal, the identity decides.
struct PostgresComparisonSQL {
  private let terms: [ResultTerm]

  init(_ terms: [ResultTerm]) { self.terms = terms }

  /// Returns the query. Its additional parameters are the identities of the two
  /// rows. It selects no row if one of them does not exist.
  func query(_ sql: RequestSQL) throws -> SQLQuery {
    try SQLQuery(sql.entity, sql.dialect) { writer in
      var values = ["\(sql.identity) AS id"]
      for (index, term) in terms.enumerated() {
        values.append("(\(try term.value(&writer, sql.identity))) AS k\(index)")
      }
      let first = writer.arguments.count + 1
      return "WITH r AS (SELECT \(values.joined(separator: ", ")) \(writer.source.from)"
        + " WHERE \(sql.identity) IN ($\(first)::int8, $\(first + 1)::int8))"
        + " SELECT \(precedes(from: 0)) FROM r a, r b"
        + " WHERE a.id = $\(first)::int8 AND b.id = $\(first + 1)::int8"
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
