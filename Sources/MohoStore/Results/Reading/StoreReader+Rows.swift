import Foundation
import GRDB
import GRDBSQLite
package import MohoMapping

extension StoreReader {
  /// The fingerprints of single rows, by identity. Rows that are gone are left
  /// out.
  package func fingerprints<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: [UInt64]] {
    let entity = try schema.entity(of: model)
    let statement = ListStatement(
      written: schema.tableColumns(of: entity), of: entity.name, identity: entity.identityColumn)
    var found: [Int64: [UInt64]] = [:]
    if rowIDs.isEmpty { return found }
    try perform { database in
      try statement.query(for: rowIDs, database).forEachRow { statement in
        let (rowID, values) = MohoStore.fingerprints(statement)
        found[rowID] = values
      }
    }
    return found
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

  /// The models of single rows, with their identities, in no particular order.
  /// Rows that are gone are left out.
  ///
  /// - Parameter statements: Those of a result of these models.
  /// - Throws: `MappingError` where a row is none of the model's.
  package func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], by statements: ResultStatements
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    var (found, models): ([Int64], [Model]) = ([], [])
    if rowIDs.isEmpty { return (found, models) }
    found.reserveCapacity(rowIDs.count)
    let mapping = Model.mapping
    try perform { database in
      let query = try statements.models.query(for: rowIDs, database)
      guard !mapping.hasRelations else {
        let graph = try GraphReader(model, database, schema)
        var rows: [StoredRow] = []
        try query.forEachRow { rows.append(graph.root(from: $0)) }
        found = rows.map(\.id)
        models = try graph.models(of: rows)
        return
      }
      models.reserveCapacity(rowIDs.count)
      let decoder = RowFieldDecoder(
        statement: query.pointer, entity: statements.entity, keys: mapping.keys)
      let identity = Int32(mapping.keys.count)
      defer { query.reset() }
      try mapping.read(into: &models, from: decoder) {
        guard try query.step() else { return false }
        found.append(sqlite3_column_int64(query.pointer, identity))
        return true
      }
    }
    return (found, models)
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
      try ListStatement(sql).query(for: values, database).forEachRow(body)
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
