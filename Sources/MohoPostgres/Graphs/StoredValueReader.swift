import Foundation
import MohoMapping
import MohoRows

/// Reads the columns of a result in the form of stored rows.
struct StoredValueReader {
  private let types: [PostgresType]

  init(_ result: PostgresResult) {
    types = (0..<result.columnCount).map { result.type(ofColumn: $0) }
  }

  /// Returns the values of a row, starting at a column.
  func values(_ row: PostgresRow, from first: Int) throws -> [StoredValue] {
    try (first..<types.count).map { try value(row, $0) }
  }

  private func value(_ row: PostgresRow, _ column: Int) throws -> StoredValue {
    if row.isNull(column) { return .null }
    switch types[column] {
    case .bool, .int2, .int4, .int8: return .integer(row.int64(column))
    case .float8: return .number(row.double(column))
    case .timestamptz: return .number(row.date(column).timeIntervalSinceReferenceDate)
    case .text: return .text(row.string(column))
    case .bytea: return .blob(row.data(column))
    // A decoder parses the JSON, whose form does not matter.
    case .jsonb: return .text(row.json(column))
    case .numeric, .uint64, .uuid:
      let content = try row.content(column, as: types[column])
      if case .uint64(let value) = content { return .unsigned(value) }
      return try StoredValue(content)
    }
  }
}

extension PostgresSession: LinkedRowSource {
  var dialect: any SQLDialect { PostgresDialect() }

  func forEachRow(
    of query: SQLQuery, valueCount: Int, _ body: (Int64, [StoredValue]) throws -> Void
  ) throws {
    let result = try self.query(query)
    let columns = StoredValueReader(result)
    for row in result.rows { try body(row.int64(0), columns.values(row, from: 1)) }
  }
}
