import CPostgres
import Foundation
import MohoMapping
import MohoRows

/// The columns of a query of an app that are read as the keys of a model.
struct QueriedColumns {
  private let node: ModelNode
  private let columns: NamedColumns
  /// The types of the columns that are read, by position.
  private let types: [Int: QueriedType]

  /// - Throws: A `StoreError` if a column is missing, or has a type that is not read.
  init(
    _ result: PostgresResult, of node: ModelNode, needsAllKeys: Bool,
    _ connection: PostgresConnection
  ) throws {
    self.node = node
    let names = (0..<result.columnCount).map { result.name(ofColumn: $0) }
    let columns = NamedColumns(names, for: node)
    if needsAllKeys { try columns.check(for: node) }
    self.columns = columns
    var types: [Int: QueriedType] = [:]
    for column in columns.keys.compactMap({ $0 }) + [columns.identity].compactMap({ $0 }) {
      let (oid, modifier) = result.typeNumbers(ofColumn: column)
      guard let type = QueriedType(oid: oid, modifier: modifier) else {
        throw try Self.error(names[column], oid, node, connection)
      }
      types[column] = type
    }
    self.types = types
  }

  private static func error(
    _ column: String, _ oid: UInt32, _ node: ModelNode, _ connection: PostgresConnection
  ) throws -> StoreError {
    var arguments = PostgresArguments()
    arguments.append(Int64(oid))
    let type = try connection.query("SELECT format_type($1::int8::oid, NULL)", arguments)
      .first?.optionalString(0)
    return StoreError(
      .invalidRequest, subject: "`\(node.name)`",
      reason: "the column `\(column)` has the type \(type ?? "\(oid)"), which no key has",
      suggestion: "cast it, for example to `text` or `timestamptz`")
  }

  /// - Throws: A `MappingError` if a number has too many digits.
  func row(_ row: PostgresRow) throws -> StoredRow {
    let identity = try value(row, columns.identity, .other)
    let values = try columns.keys.enumerated().map { index, column in
      do {
        return try value(row, column, columns.affinities[index])
      } catch let error as MappingError {
        throw error.inside(
          FieldPath([
            .key(node.name), .key("\(identity.integer ?? 0)"), .key(node.table.keys[index].name),
          ]), dropping: 0)
      }
    }
    return StoredRow(node, values: values, identity: identity, unreadKeys: columns.unreadKeys)
  }

  private func value(
    _ row: PostgresRow, _ column: Int?, _ affinity: NamedColumns.Affinity
  ) throws -> StoredValue {
    guard let column, let type = types[column], !row.isNull(column) else { return .null }
    switch type {
    case .text: return .text(row.string(column))
    case .float4:
      return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: row.int64(column)))))
    case .column(.numeric), .column(.uint64):
      return try number(row.content(column, as: .numeric), affinity)
    case .column(let type): return affinity.converting(try StoredValue(row, column, as: type))
    }
  }

  /// Returns a number in the form of a key. Sums and constants with a point have the type
  /// `numeric`.
  private func number(
    _ content: FieldContent, _ affinity: NamedColumns.Affinity
  ) throws -> StoredValue {
    guard case .decimal(let decimal) = content else { return try StoredValue(content) }
    let digits = decimal.description
    switch affinity {
    case .decimal: return .text(digits)
    case .integer:
      if let integer = Int64(digits) { return .integer(integer) }
      if let integer = UInt64(digits) { return .unsigned(integer) }
    case .number, .other: break
    }
    return Double(digits).map { StoredValue.number($0) } ?? .text(digits)
  }
}

/// A type of a query's column that can be read.
private enum QueriedType {
  /// A type of the columns of stores.
  case column(PostgresType)
  /// A type whose binary form is the text.
  case text
  case float4

  init?(oid: UInt32, modifier: Int32) {
    if let type = PostgresType(oid: oid, modifier: modifier) {
      self = .column(type)
      return
    }
    switch oid {
    // `name`, `json`, `unknown`, `char(n)` and `varchar`.
    case 19, 114, 705, 1042, 1043: self = .text
    case 700: self = .float4
    default: return nil
    }
  }
}

extension PostgresResult {
  fileprivate func name(ofColumn column: Int) -> String {
    PQfname(storage.pointer, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// The object identifier and the modifier of the type of a column.
  fileprivate func typeNumbers(ofColumn column: Int) -> (oid: UInt32, modifier: Int32) {
    (PQftype(storage.pointer, Int32(column)), PQfmod(storage.pointer, Int32(column)))
  }
}
