import GRDB
import GRDBSQLite
package import MohoMapping

/// A row of a result with the values of the terms.
package struct EvaluatedRow: Sendable {
  package let rowID: Int64
  /// The value of the section key, or null.
  package let section: FieldContent
  /// The values of the terms, the identity last.
  let values: [SQLiteValueCopy]
}

/// A row of a result with its position.
package struct PositionedRow: Sendable {
  package let rowID: Int64
  /// The row directly before it, or nil if it is the first.
  package let predecessor: Int64?
  /// The value of the section key, or null.
  package let section: FieldContent
}

extension StoreReader {
  /// Passes the identities of all rows of a result to a closure, in order and in
  /// batches. The rows of a batch have the same section, nil without a section
  /// key.
  ///
  /// - Parameter limit: The maximum number of rows.
  /// - Complexity: O(*n*) in the number of rows, plus the time of sorting them if
  ///   no index has the order.
  package func scan(
    _ result: ResultStatements, limit: Int? = nil,
    _ body: (_ rowIDs: [Int64], _ section: FieldContent?) throws -> Void
  ) throws {
    let (scan, isSectioned) = (result.definition.scan, result.definition.isSectioned)
    let query = SQLQuery(scan.sql + (limit.map { " LIMIT \($0)" } ?? ""), scan.arguments)
    var batch = SectionBatch()
    try forEachRow(query) { statement in
      if isSectioned { try batch.enter(SQLiteValueCopy(statement, 1), body) }
      batch.rowIDs.append(sqlite3_column_int64(statement, 0))
      if batch.rowIDs.count == 1_024 { try batch.end(body) }
    }
    try batch.end(body)
  }

  /// The rows of a list that are in a result, in order, with the values of the
  /// terms.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  package func evaluate(
    _ rowIDs: some Collection<Int64>, in result: ResultStatements
  ) throws -> [EvaluatedRow] {
    guard !rowIDs.isEmpty else { return [] }
    let isSectioned = result.definition.isSectioned
    let last = Int32(result.definition.terms.count - 1)
    return try perform { database in
      var rows: [EvaluatedRow] = []
      try result.evaluation.prepared(for: rowIDs, on: database).forEachRow { statement in
        let values = (0...last).map { SQLiteValueCopy(statement, $0) }
        rows.append(
          EvaluatedRow(
            rowID: sqlite3_column_int64(statement, last),
            section: isSectioned ? values[0].content : .null, values: values))
      }
      return rows
    }
  }

  /// The rows of a list that are in a result, in order, with their predecessors;
  /// nil if one statement cannot find these.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows.
  package func positions(
    of rowIDs: some Collection<Int64>, in result: ResultStatements
  ) throws -> [PositionedRow]? {
    try perform { database in
      guard let predecessors = try result.probes(on: database)?.predecessors else { return nil }
      var rows: [PositionedRow] = []
      if rowIDs.isEmpty { return rows }
      rows.reserveCapacity(rowIDs.count)
      let isSectioned = result.definition.isSectioned
      try predecessors.prepared(for: rowIDs, on: database).forEachRow { statement in
        let predecessor = SQLiteValue(statement, 1)
        rows.append(
          PositionedRow(
            rowID: sqlite3_column_int64(statement, 0),
            predecessor: predecessor.isNull ? nil : predecessor.int64,
            section: isSectioned ? SQLiteValueCopy(statement, 2).content : .null))
      }
      return rows
    }
  }
}

/// Consecutive rows of one section.
private struct SectionBatch {
  var rowIDs: [Int64] = []
  private var section: SQLiteValueCopy?

  /// Ends the batch if the next row is in another section.
  mutating func enter(
    _ section: SQLiteValueCopy, _ body: ([Int64], FieldContent?) throws -> Void
  ) rethrows {
    if self.section == section { return }
    try end(body)
    self.section = section
  }

  /// Passes the rows on.
  mutating func end(_ body: ([Int64], FieldContent?) throws -> Void) rethrows {
    if !rowIDs.isEmpty { try body(rowIDs, section?.content) }
    rowIDs.removeAll(keepingCapacity: true)
  }
}
