import MohoRows

/// Writes the query that returns whether a row precedes given values of the
/// terms.
///
/// Values are compared like in SQLite's `ORDER BY`: by their collations, with
/// nil first or last according to the ordering. If all other values are equal,
/// the identity decides.
struct ComparisonSQL {
  private let terms: [ResultTerm]

  init(_ terms: [ResultTerm]) { self.terms = terms }

  /// Returns the query. Its additional parameters are the values of the terms,
  /// followed by the identity of the row.
  func query(_ sql: RequestSQL) throws -> SQLQuery {
    try SQLQuery(sql.entity, sql.dialect) { writer in
      let values = try terms.map { try $0.value(&writer, sql.identity) }
      let first = writer.arguments.count + 1
      let condition = precedes(values, from: 0, parameter: first)
      return "SELECT \(condition) \(writer.source.from)"
        + " WHERE \(sql.identity) = ?\(first + terms.count)"
    }
  }

  private func precedes(_ values: [String], from position: Int, parameter: Int) -> String {
    guard position < terms.count else { return "0" }
    let (term, value) = (terms[position], values[position])
    let other = "?\(parameter + position)"
    let isBefore = "\(value) \(term.isDescending ? ">" : "<") \(other)"
    guard position + 1 < terms.count else { return isBefore }
    let rest = precedes(values, from: position + 1, parameter: parameter)
    let nils =
      term.isOptional
      ? "WHEN \(value) IS NULL THEN \(term.nilsComeFirst ? 1 : 0)"
        + " WHEN \(other) IS NULL THEN \(term.nilsComeFirst ? 0 : 1) " : ""
    return "CASE WHEN \(value) IS \(other) THEN \(rest) \(nils)ELSE \(isBefore) END"
  }
}
