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
    try (first..<types.count).map { try StoredValue(row, $0, as: types[$0]) }
  }
}

extension StoredValue {
  /// Reads a column of a type.
  init(_ row: PostgresRow, _ column: Int, as type: PostgresType) throws {
    if row.isNull(column) {
      self = .null
      return
    }
    switch type {
    case .bool, .int2, .int4, .int8: self = .integer(row.int64(column))
    case .float8: self = .number(row.double(column))
    case .timestamptz: self = .number(row.date(column).timeIntervalSinceReferenceDate)
    case .text: self = .text(row.string(column))
    case .bytea: self = .blob(row.data(column))
    // A decoder parses the JSON, whose form does not matter.
    case .jsonb: self = .text(row.json(column))
    case .numeric, .uint64, .uuid:
      let content = try row.content(column, as: type)
      if case .uint64(let value) = content {
        self = .unsigned(value)
      } else {
        try self.init(content)
      }
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
