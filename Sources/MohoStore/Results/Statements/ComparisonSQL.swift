/// Makes the statement that says whether a row comes before a place.
///
/// Values are compared as SQLite's `ORDER BY` does: by their collations, with
/// nil where the ordering has it, and rows that are equal in all by identity.
struct ComparisonSQL {
  private let terms: [ResultTerm]

  init(_ terms: [ResultTerm]) { self.terms = terms }

  /// The statement: its further parameters are the values of the place, then
  /// the identity of the row.
  func statement(_ sql: RequestSQL) throws -> BoundSQL {
    try BoundSQL(sql.entity) { writer in
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
    let place = "?\(parameter + position)"
    let isBefore = "\(value) \(term.isDescending ? ">" : "<") \(place)"
    guard position + 1 < terms.count else { return isBefore }
    let rest = precedes(values, from: position + 1, parameter: parameter)
    let nils =
      term.isOptional
      ? "WHEN \(value) IS NULL THEN \(term.nilsComeFirst ? 1 : 0)"
        + " WHEN \(place) IS NULL THEN \(term.nilsComeFirst ? 0 : 1) " : ""
    return "CASE WHEN \(value) IS \(place) THEN \(rest) \(nils)ELSE \(isBefore) END"
  }
}
