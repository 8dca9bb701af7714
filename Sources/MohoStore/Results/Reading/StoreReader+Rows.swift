import Foundation
import GRDB
import GRDBSQLite
package import MohoMapping

/// The rows of a request as their identities and sections.
package struct RowScan: Sendable {
  /// The identities, in the order of the request.
  package var rowIDs: [Int64] = []

  /// The values of the section key and the position of the first row of each
  /// run of rows that have it; empty without a section key.
  package var sections: [(value: FieldContent, start: Int)] = []
}

extension StoreReader {
  /// The fingerprints of single rows, by identity. Rows that are gone are left
  /// out.
  package func fingerprints<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: [UInt64]] {
    let entity = try schema.entity(of: model)
    return try fingerprints(
      of: rowIDs, in: entity.name, identity: entity.identityColumn,
      columns: schema.columnNames(of: entity))
  }

  /// The fingerprints of the columns of single rows of a table, by identity.
  /// Rows that are gone are left out.
  func fingerprints(
    of rowIDs: [Int64], in table: String, identity: String, columns: [String]
  ) throws -> [Int64: [UInt64]] {
    var fingerprints: [Int64: [UInt64]] = [:]
    let end = Int32(columns.count + 1)
    try forEachRow([identity] + columns, of: table, where: identity, isIn: rowIDs) { statement in
      // SAFETY: The statement stands on a row.
      fingerprints[sqlite3_column_int64(statement, 0)] =
        (1..<end).map { fingerprint(ofValue: sqlite3_column_value(statement, $0)) }
    }
    return fingerprints
  }

  /// The integers in a column of those rows of a table that have some integers
  /// in another column. Null is left out.
  func integers(
    _ column: String, in table: String, where other: String, isIn values: Set<Int64>
  ) throws -> Set<Int64> {
    var integers: Set<Int64> = []
    try forEachRow([column], of: table, where: other, isIn: Array(values)) { statement in
      guard sqlite3_column_type(statement, 0) == SQLITE_INTEGER else { return }
      integers.insert(sqlite3_column_int64(statement, 0))
    }
    return integers
  }

  /// The models of single rows, by identity. Rows that are gone are left out.
  ///
  /// - Throws: `MappingError` where a row is none of the model's.
  package func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: Model] {
    let entity = try schema.entity(of: model)
    let mapping = Model.mapping
    let columns = schema.selection(of: mapping, entity)
    var models: [Int64: Model] = [:]
    guard mapping.hasRelations else {
      try forEachRow(selecting: columns, of: entity, rowIDs: rowIDs) { statement in
        let decoder = RowFieldDecoder(statement: statement, entity: entity, keys: mapping.keys)
        models[sqlite3_column_int64(statement, Int32(mapping.keys.count))] =
          try mapping.model(from: decoder)
      }
      return models
    }
    var rows: [StoredRow] = []
    let graph = try perform { try GraphReader(model, $0, schema) }
    try forEachRow(selecting: columns, of: entity, rowIDs: rowIDs) { statement in
      rows.append(graph.root(from: statement))
    }
    let found: [Model] = try perform { _ in try graph.models(of: rows) }
    for (row, model) in zip(rows, found) { models[row.id] = model }
    return models
  }

  private func forEachRow(
    selecting columns: [String], of entity: Entity, rowIDs: [Int64],
    _ body: (OpaquePointer) throws -> Void
  ) throws {
    try forEachRow(
      "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(entity.name)) WHERE "
        + quoted(entity.identityColumn), isIn: rowIDs, body)
  }

  private func forEachRow(
    _ columns: [String], of table: String, where column: String, isIn values: [Int64],
    _ body: (OpaquePointer) throws -> Void
  ) throws {
    try forEachRow(
      "SELECT \(columns.map(quoted).joined(separator: ", ")) FROM \(quoted(table)) WHERE "
        + quoted(column), isIn: values, body)
  }

  private func forEachRow(
    _ sql: String, isIn values: [Int64], _ body: (OpaquePointer) throws -> Void
  ) throws {
    guard !values.isEmpty else { return }
    try perform { database in
      try PreparedQuery(sql, isIn: values, database).forEachRow(body)
    }
  }

  func forEachRow(
    _ statement: BoundSQL, _ body: (OpaquePointer) throws -> Void
  ) throws {
    try forEachRow(statement.sql, statement.arguments, body)
  }

  func forEachRow(
    _ sql: String, _ arguments: [DatabaseValue], _ body: (OpaquePointer) throws -> Void
  ) throws {
    try perform { database in
      var rows = try RowSteps(database, sql: sql, arguments)
      while try rows.next() { try body(rows.statement) }
    }
  }
}
