import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Rows of a result, in order, with the values of their terms, and the statements that
/// compare them with stored rows and find predecessors in an index. They are valid during
/// the transaction in which they were read.
struct EvaluatedRows {
  /// The values of the terms of each row, with the identity as the last value.
  private let rows: [[StoredValue]]
  private let isSectioned: Bool
  private let sectionContent: (StoredValue) -> FieldContent
  /// The sections of the rows, if they are not the values of the first term.
  private let sections: [StoredValue]?
  private let terms: [ResultTerm]
  private let comparison: PreparedStatement
  private let levels: [TermLookup<PreparedStatement>]
  let rowIDs: [Int64]

  init(
    _ rows: [[StoredValue]], sections: [StoredValue]?, _ sql: ResultSQL,
    comparison: PreparedStatement, levels: [TermLookup<PreparedStatement>]
  ) {
    self.rows = rows
    self.sections = sections
    isSectioned = sql.isSectioned
    sectionContent = sql.section
    terms = sql.terms
    self.comparison = comparison
    self.levels = levels
    rowIDs = rows.map { $0.last?.integer ?? 0 }
  }

  /// Whether an index can find predecessors.
  var hasIndex: Bool { !levels.isEmpty }

  /// Returns the value of the section key of a row, or null.
  func section(ofRowAt index: Int) -> FieldContent {
    isSectioned ? sectionContent(sections?[index] ?? rows[index][0]) : .null
  }

  /// Returns whether a stored row precedes a row of this list. False if the stored row does
  /// not exist.
  func precedes(_ rowID: Int64, rowAt index: Int) throws -> Bool {
    try withStoreErrors(on: nil) {
      var parameter: Int32 = 1
      for value in rows[index] {
        try comparison.bind(value, at: parameter)
        parameter += 1
      }
      try comparison.bind(rowID, at: parameter)
      return try comparison.first { sqlite3_column_int($0, 0) != 0 } ?? false
    }
  }

  /// Returns the identities of the preceding rows according to the index. Nil if a row is
  /// the first one.
  func predecessors() throws -> [Int64?] {
    try withStoreErrors(on: nil) { try rows.map { try predecessor(of: $0) } }
  }

  private func predecessor(of values: [StoredValue]) throws -> Int64? {
    for position in levels.indices.reversed() {
      let prefix = Array(values[..<position])
      if let value = try value(before: values[position], after: prefix) {
        return try last(after: prefix + [value])
      }
    }
    return nil
  }

  /// Returns the last value of a term that precedes a given one, among the rows
  /// with given values for the preceding terms.
  private func value(
    before value: StoredValue, after prefix: [StoredValue]
  ) throws -> StoredValue? {
    let (level, term) = (levels[prefix.count], terms[prefix.count])
    if value.isNull {
      return term.nilsComeFirst ? nil : try self.value(level.last, prefix)
    }
    if let found = try self.value(level.before, prefix + [value]) { return found }
    return try term.nilsComeFirst && hasNull(after: prefix) ? .null : nil
  }

  /// Returns the identity of the last row with given values for the first
  /// terms.
  private func last(after prefix: [StoredValue]) throws -> Int64? {
    var prefix = prefix
    while prefix.count < terms.count {
      let term = terms[prefix.count]
      if try !term.nilsComeFirst && hasNull(after: prefix) {
        prefix.append(.null)
      } else {
        prefix.append(try value(levels[prefix.count].last, prefix) ?? .null)
      }
    }
    return prefix.last?.integer ?? 0
  }

  private func hasNull(after prefix: [StoredValue]) throws -> Bool {
    guard terms[prefix.count].isOptional else { return false }
    return try value(levels[prefix.count].null, prefix) != nil
  }

  private func value(
    _ statement: PreparedStatement, _ values: [StoredValue]
  ) throws -> StoredValue? {
    for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
    return try statement.first { StoredValue($0, 0) }
  }
}
