import GRDB
import GRDBSQLite
package import MohoMapping

extension StoreReader {
  /// Calls a function with the identities of all rows of a result, in order, some
  /// at a time, each time with the section that they are in; nil without a section
  /// key.
  ///
  /// - Parameter limit: How many are read at most.
  /// - Complexity: O(*n*) in the number of rows, and that of sorting them where
  ///   no index does.
  package func scan(
    _ result: ResultStatements, limit: Int? = nil,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws {
    let sql = result.scan.sql + (limit.map { " LIMIT \($0)" } ?? "")
    var run = RowRun()
    try forEachRow(sql, result.scan.arguments) { statement in
      if result.isSectioned { try run.enter(FieldContent(statement, 1), body) }
      run.rowIDs.append(sqlite3_column_int64(statement, 0))
      if run.rowIDs.count == 1_024 { try run.end(body) }
    }
    try run.end(body)
  }

  /// Those of some rows that are in a result, in order, with the values that
  /// say where.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  package func evaluate(
    _ rowIDs: some Collection<Int64>, in result: ResultStatements
  ) throws -> [EvaluatedRow] {
    guard !rowIDs.isEmpty else { return [] }
    return try perform { database in
      let query = try result.evaluation.query(for: rowIDs, database)
      let last = Int32(result.terms.count - 1)
      var rows: [EvaluatedRow] = []
      try query.forEachRow { statement in
        rows.append(
          EvaluatedRow(
            rowID: sqlite3_column_int64(statement, last),
            section: result.isSectioned ? FieldContent(statement, 0) : .null,
            values: (0...last).map { KeptValue(statement, $0) }))
      }
      return rows
    }
  }

  /// Those of some rows that are in a result, in order, with the rows that they
  /// come behind; nil where SQLite cannot find these by itself.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  package func places(
    of rowIDs: some Collection<Int64>, in result: ResultStatements
  ) throws -> [PlacedRow]? {
    try perform { database in
      guard let placing = try result.probes(on: database)?.placing else { return nil }
      var rows: [PlacedRow] = []
      if rowIDs.isEmpty { return rows }
      rows.reserveCapacity(rowIDs.count)
      try placing.query(for: rowIDs, database).forEachRow { statement in
        let isFirst = sqlite3_column_type(statement, 1) == SQLITE_NULL
        rows.append(
          PlacedRow(
            rowID: sqlite3_column_int64(statement, 0),
            predecessor: isFirst ? nil : sqlite3_column_int64(statement, 1),
            section: result.isSectioned ? FieldContent(statement, 2) : .null))
      }
      return rows
    }
  }
}

/// Rows of one section that follow one another.
private struct RowRun {
  var rowIDs: [Int64] = []
  private var section: FieldContent?

  /// Ends the run where a row is in another section.
  mutating func enter(
    _ section: FieldContent, _ body: ([Int64], FieldContent?) throws -> Void
  ) rethrows {
    if let current = self.section, isSame(current, section) { return }
    try end(body)
    self.section = section
  }

  /// Hands the rows on.
  mutating func end(_ body: ([Int64], FieldContent?) throws -> Void) rethrows {
    if !rowIDs.isEmpty { try body(rowIDs, section) }
    rowIDs.removeAll(keepingCapacity: true)
  }

  /// Whether two values are equal to SQLite: texts by their bytes.
  private func isSame(_ left: FieldContent, _ right: FieldContent) -> Bool {
    if case (.string(let left), .string(let right)) = (left, right) {
      return left.utf8.elementsEqual(right.utf8)
    }
    return left == right
  }
}
