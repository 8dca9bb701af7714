import GRDB
import GRDBSQLite
package import MohoMapping

extension StoreReader {
  /// Passes the rows of a query to a closure.
  func forEachRow(_ query: SQLQuery, _ body: (OpaquePointer) throws -> Void) throws {
    try perform { try StatementRows.forEach(of: query, $0, body) }
  }

  /// The fingerprints of rows, by identity. Rows that do not exist are omitted.
  package func fingerprints<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: [UInt64]] {
    let entity = try schema.entity(of: model)
    let statement = IntegerListStatement(
      SQLListQuery(
        columns: schema.tableColumns(of: entity), of: entity.name,
        identity: entity.identityColumn))
    return try fingerprints(of: rowIDs, by: statement)
  }

  /// The fingerprints of rows, by a statement that selects the identity first.
  func fingerprints(
    of rowIDs: [Int64], by statement: IntegerListStatement
  ) throws -> [Int64: [UInt64]] {
    var found: [Int64: [UInt64]] = [:]
    if rowIDs.isEmpty { return found }
    try perform { database in
      try statement.prepared(for: rowIDs, on: database).forEachRow { statement in
        let (rowID, values) = SQLiteValue.fingerprints(statement)
        found[rowID] = values
      }
    }
    return found
  }

  /// The integers in a column of the rows of a table whose integer in another
  /// column is in a list. Null is omitted.
  func integers(
    _ column: String, in table: String, where other: String, isIn values: Set<Int64>
  ) throws -> Set<Int64> {
    var integers: Set<Int64> = []
    if values.isEmpty { return integers }
    let statement = IntegerListStatement(
      SQLListQuery("SELECT \(quoted(column)) FROM \(quoted(table)) WHERE \(quoted(other))"))
    try perform { database in
      try statement.prepared(for: values, on: database).forEachRow { statement in
        if let integer = SQLiteValue(statement, 0).integer { integers.insert(integer) }
      }
    }
    return integers
  }

  /// The models of rows, with their identities, in no particular order. Rows that
  /// do not exist are omitted.
  ///
  /// - Parameter statements: The statements of a result of these models.
  /// - Throws: `MappingError` if a row is not a model.
  package func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64], by statements: ResultStatements
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    var (found, models): ([Int64], [Model]) = ([], [])
    if rowIDs.isEmpty { return (found, models) }
    found.reserveCapacity(rowIDs.count)
    let mapping = Model.mapping
    try perform { database in
      let statement = try statements.models.prepared(for: rowIDs, on: database)
      guard !mapping.hasRelations else {
        let graph = try GraphReader(model, database, schema)
        var rows: [StoredRow] = []
        try statement.forEachRow { rows.append(graph.root(from: $0)) }
        found = rows.map(\.id)
        models = try graph.models(of: rows)
        return
      }
      models.reserveCapacity(rowIDs.count)
      let decoder = RowFieldDecoder(
        statement: statement.pointer, entity: statements.definition.entity, keys: mapping.keys)
      let identity = Int32(mapping.keys.count)
      defer { statement.reset() }
      try mapping.read(into: &models, from: decoder) {
        guard try statement.step() else { return false }
        found.append(sqlite3_column_int64(statement.pointer, identity))
        return true
      }
    }
    return (found, models)
  }
}
