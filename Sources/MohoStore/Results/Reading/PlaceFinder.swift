import GRDB
import GRDBSQLite

/// Finds where rows belong among those of a result, in the state that a reader
/// reads.
package struct PlaceFinder {
  private let database: Database
  private let comparison: PreparedQuery
  private let levels: [Level]
  private let terms: [ResultTerm]

  private struct Level {
    let before: PreparedQuery
    let last: PreparedQuery
    let null: PreparedQuery
  }

  /// Whether places are found in an index.
  package var hasIndex: Bool { !levels.isEmpty }

  init(_ result: ResultStatements, _ database: Database) throws {
    self.database = database
    terms = result.terms
    comparison = try result.comparison.prepared(on: database)
    levels =
      try result.probes(on: database)?.levels.map { level in
        try Level(
          before: level.before.prepared(on: database), last: level.last.prepared(on: database),
          null: level.null.prepared(on: database))
      } ?? []
  }

  /// Whether a row comes before another one. False where it is gone.
  package func precedes(_ rowID: Int64, _ row: EvaluatedRow) throws -> Bool {
    for (index, value) in row.values.enumerated() { try comparison.bind(value, at: index) }
    try comparison.bind(rowID, at: row.values.count)
    return try withStoreErrors(on: nil) {
      try comparison.first { sqlite3_column_int($0, 0) != 0 } ?? false
    }
  }

  /// The row directly before another one, by the index; nil where that is the
  /// first of all.
  package func predecessor(of row: EvaluatedRow) throws -> Int64? {
    try withStoreErrors(on: nil) {
      for position in levels.indices.reversed() {
        let prefix = Array(row.values[..<position])
        if let value = try value(before: row.values[position], behind: prefix) {
          return try last(behind: prefix + [value])
        }
      }
      return nil
    }
  }

  /// The value of a term that comes next before one, among rows with the same
  /// values of the terms before it.
  private func value(before value: KeptValue, behind prefix: [KeptValue]) throws -> KeptValue? {
    let (level, term) = (levels[prefix.count], terms[prefix.count])
    if value.isNull {
      return term.nilsComeFirst ? nil : try self.value(level.last, prefix)
    }
    if let found = try self.value(level.before, prefix + [value]) { return found }
    return try term.nilsComeFirst && hasNull(behind: prefix) ? KeptValue() : nil
  }

  /// The identity of the last row with some values of the first terms.
  private func last(behind prefix: [KeptValue]) throws -> Int64? {
    var prefix = prefix
    while prefix.count < terms.count {
      let term = terms[prefix.count]
      if try !term.nilsComeFirst && hasNull(behind: prefix) {
        prefix.append(KeptValue())
      } else {
        prefix.append(try value(levels[prefix.count].last, prefix) ?? KeptValue())
      }
    }
    return prefix.last.map(\.int64)
  }

  private func hasNull(behind prefix: [KeptValue]) throws -> Bool {
    guard terms[prefix.count].isOptional else { return false }
    return try value(levels[prefix.count].null, prefix) != nil
  }

  private func value(_ query: PreparedQuery, _ values: [KeptValue]) throws -> KeptValue? {
    for (index, value) in values.enumerated() { try query.bind(value, at: index) }
    return try query.first { KeptValue($0, 0) }
  }
}

extension StoreReader {
  /// What finds the places of rows of a result.
  package func places(in result: ResultStatements) throws -> PlaceFinder {
    try perform { try PlaceFinder(result, $0) }
  }
}
