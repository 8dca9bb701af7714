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
      let condition = precedes(values, parameter: first)
      return "SELECT \(condition) \(writer.source.from)"
        + " WHERE \(sql.identity) = ?\(first + terms.count)"
    }
  }

  // Not recursive: the stack must not limit the number of orderings.
  private func precedes(_ values: [String], parameter: Int) -> String {
    guard !terms.isEmpty else { return "0" }
    var starts: [String] = []
    var ends: [String] = []
    for position in terms.indices {
      let (term, value) = (terms[position], values[position])
      let other = "?\(parameter + position)"
      let isBefore = "\(value) \(term.isDescending ? ">" : "<") \(other)"
      guard position + 1 < terms.count else {
        starts.append(isBefore)
        continue
      }
      let nils =
        term.isOptional
        ? "WHEN \(value) IS NULL THEN \(term.nilsComeFirst ? 1 : 0)"
          + " WHEN \(other) IS NULL THEN \(term.nilsComeFirst ? 0 : 1) " : ""
      starts.append("CASE WHEN \(value) IS \(other) THEN ")
      ends.append(" \(nils)ELSE \(isBefore) END")
    }
    return starts.joined() + ends.reversed().joined()
  }
}
