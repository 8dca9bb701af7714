import CPostgres
import Foundation
import MohoMapping

@testable import MohoPostgres
@testable import MohoRows

extension PostgresConnection {
  /// Returns the rows of a query, with `|` between the values.
  package func values(_ sql: String) throws -> [String] {
    // Migrations change the results of prepared statements.
    let result = try query(sql, isPrepared: false)
    return try result.rows.map { row in
      try (0..<result.columnCount).map { column in
        try Self.text(row, column, PQftype(result.storage.pointer, Int32(column)))
      }.joined(separator: "|")
    }
  }

  /// Returns a value in the form in which SQLite stores it.
  private static func text(_ row: PostgresRow, _ column: Int, _ oid: UInt32) throws -> String {
    if row.isNull(column) { return "NULL" }
    let type = PostgresType(oid: oid)
    switch type {
    case .bool, .int2, .int4, .int8: return "\(row.int64(column))"
    case .float8: return "\(row.double(column))"
    case .timestamptz: return "\(row.date(column).timeIntervalSinceReferenceDate)"
    case .bytea: return "\(row.data(column))"
    case .numeric, .uint64, .uuid, .jsonb:
      guard let type, case let content = try row.content(column, as: type) else { return "" }
      return String(reflecting: "\(content)")
    case .text, nil: return String(reflecting: row.string(column))
    }
  }

  /// Returns the rows of all tables of the current schema, except those of the log.
  package func dump() throws -> [String] {
    let tables = try query(
      """
      SELECT relname::text FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1
      """
    ).rows.map { $0.string(0) }
    // The tables of the log begin with this word.
    return try tables.filter { !$0.hasPrefix("_moho ") }.flatMap { table in
      try values("SELECT * FROM \(quotedName(table))").sorted().map { "\(table): \($0)" }
    }
  }
}
