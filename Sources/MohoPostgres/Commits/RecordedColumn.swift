import Foundation
import MohoMapping
import MohoRows

/// A column whose values are recorded before they change, and compared with the
/// values after a commit.
///
/// The same SQL expression reads both values, so that equal values have equal
/// bytes. It does not depend on the settings of the connection that writes.
struct RecordedColumn: Sendable {
  let name: String
  let type: PostgresType

  /// The number of bytes above which texts and data are replaced by their hash.
  private static let longest = Fingerprint.longestText

  init(_ column: TableColumn) {
    name = column.name
    type =
      switch column.content {
      case .attribute(let type): PostgresType(type)
      case .link, .position: .int8
      }
  }

  /// Returns the expression for the column of a row.
  func sql(of row: String) -> String {
    let column = "\(row).\(quotedName(name))"
    switch type {
    // Binary texts would have the encoding of the connection.
    case .text: return Self.bytes("pg_catalog.convert_to(\(column), 'UTF8')", column)
    case .jsonb:
      let text = "\(column)::pg_catalog.text"
      return Self.bytes("pg_catalog.convert_to(\(text), 'UTF8')", text)
    case .bytea: return Self.bytes(column, column)
    default: return column
    }
  }

  /// Returns the expression for the complete value, in the form of a column of a result.
  func completeSQL(of row: String) -> String {
    let column = "\(row).\(quotedName(name))"
    switch type {
    case .text: return "pg_catalog.convert_to(\(column), 'UTF8')"
    // The first byte is the version of the binary form.
    case .jsonb: return "'\\x01' || pg_catalog.convert_to(\(column)::pg_catalog.text, 'UTF8')"
    default: return column
    }
  }

  private static func bytes(_ bytes: String, _ value: String) -> String {
    "CASE WHEN pg_catalog.octet_length(\(value)) OPERATOR(pg_catalog.>) \(longest)"
      + " THEN pg_catalog.sha256(\(bytes)) ELSE \(bytes) END"
  }

  /// Returns the fingerprint of a value of the expression in binary form.
  func fingerprint(of value: UnsafeRawBufferPointer?) -> UInt64? {
    guard let value else { return Fingerprint.ofNull }
    switch type {
    case .bool: return value.count == 1 ? Fingerprint.of(value[0] == 0 ? 0 : 1 as Int64) : nil
    case .int2, .int4, .int8, .timestamptz: return Int64(binary: value).map { Fingerprint.of($0) }
    case .float8:
      return Int64(binary: value).map {
        Fingerprint.of(Double(bitPattern: UInt64(bitPattern: $0)))
      }
    case .text: return Fingerprint.of(text: value)
    case .uuid:
      return value.count == 16
        ? Fingerprint.of(UUID(uuid: value.loadUnaligned(as: uuid_t.self)).uuidString) : nil
    case .uint64:
      guard let integer = PostgresNumeric(value)?.unsignedInteger else { return nil }
      // Integers have the fingerprint of their type in requests.
      return Int64(exactly: integer).map { Fingerprint.of($0) } ?? Fingerprint.of(blob: value)
    case .numeric:
      // The scale, at offset 6, is not part of the value.
      guard value.count >= 8 else { return nil }
      return (Array(value[..<6]) + Array(value[8...])).withUnsafeBytes { Fingerprint.of(blob: $0) }
    default: return Fingerprint.of(blob: value)
    }
  }
}

/// The columns of a table, with the column of its row identities.
struct RecordedTable: Sendable {
  let table: CompiledTable
  let columns: [RecordedColumn]

  init(_ table: CompiledTable) {
    self.table = table
    columns = table.columns.map(RecordedColumn.init)
  }

  var name: String { table.name }

  /// The columns that contain identities of linked rows.
  var linkColumns: [RecordedColumn] { table.linkColumns.map { columns[$0] } }

  /// The column that identifies rows.
  var identity: String { quotedName(table.identityColumn ?? ReservedName.identity) }

  /// Returns the expressions for all columns of a row.
  func values(of row: String) -> String {
    columns.map { $0.sql(of: row) }.joined(separator: ", ")
  }
}
