import GRDB
import GRDBSQLite

/// Finds the position of rows among the rows of a result, in the state that a
/// reader reads.
package struct PredecessorFinder {
  private let comparison: PreparedStatement
  private let levels: [ProbeLevel<PreparedStatement>]
  private let terms: [ResultTerm]

  /// Whether an index serves.
  package var hasIndex: Bool { !levels.isEmpty }

  init(_ result: ResultStatements, _ database: Database) throws {
    terms = result.definition.terms
    comparison = try result.comparison.prepared(on: database)
    levels =
      try result.probes(on: database)?.levels
      .map { try $0.map { try $0.prepared(on: database) } } ?? []
  }

  /// Whether a stored row precedes another one. False if it does not exist.
  package func precedes(_ rowID: Int64, _ row: EvaluatedRow) throws -> Bool {
    try withStoreErrors(on: nil) {
      var parameter: Int32 = 1
      for value in row.values {
        try comparison.bind(value, at: parameter)
        parameter += 1
      }
      try comparison.bind(rowID, at: parameter)
      return try comparison.first { sqlite3_column_int($0, 0) != 0 } ?? false
    }
  }

  /// The row directly before another one, by the index; nil if the other one is
  /// the first.
  package func predecessor(of row: EvaluatedRow) throws -> Int64? {
    try withStoreErrors(on: nil) {
      for position in levels.indices.reversed() {
        let prefix = Array(row.values[..<position])
        if let value = try value(before: row.values[position], after: prefix) {
          return try last(after: prefix + [value])
        }
      }
      return nil
    }
  }

  /// The greatest value of a term before a given one, among rows with given
  /// values of the terms before it.
  private func value(
    before value: SQLiteValueCopy, after prefix: [SQLiteValueCopy]
  ) throws -> SQLiteValueCopy? {
    let (level, term) = (levels[prefix.count], terms[prefix.count])
    if value.isNull {
      return term.nilsComeFirst ? nil : try self.value(level.last, prefix)
    }
    if let found = try self.value(level.before, prefix + [value]) { return found }
    return try term.nilsComeFirst && hasNull(after: prefix) ? .null : nil
  }

  /// The identity of the last row with given values of the first terms.
  private func last(after prefix: [SQLiteValueCopy]) throws -> Int64? {
    var prefix = prefix
    while prefix.count < terms.count {
      let term = terms[prefix.count]
      if try !term.nilsComeFirst && hasNull(after: prefix) {
        prefix.append(.null)
      } else {
        prefix.append(try value(levels[prefix.count].last, prefix) ?? .null)
      }
    }
    return if case .integer(let identity) = prefix.last { identity } else { 0 }
  }

  private func hasNull(after prefix: [SQLiteValueCopy]) throws -> Bool {
    guard terms[prefix.count].isOptional else { return false }
    return try value(levels[prefix.count].null, prefix) != nil
  }

  private func value(
    _ statement: PreparedStatement, _ values: [SQLiteValueCopy]
  ) throws -> SQLiteValueCopy? {
    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
    return try statement.first { SQLiteValueCopy($0, 0) }
  }
}

extension StoreReader {
  /// A finder of the positions of rows in a result.
  package func predecessorFinder(in result: ResultStatements) throws -> PredecessorFinder {
    try perform { try PredecessorFinder(result, $0) }
  }
}
