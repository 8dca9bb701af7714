import MohoMapping
import MohoRows

extension PostgresSession {
  func resultReader(
    of request: RowRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader {
    try resultReaders?.reader(of: request, models: model, isSectioned: isSectioned, schema)
      ?? PostgresResultReader(request, models: model, isSectioned: isSectioned, schema)
  }

  /// Returns the models of a query with an identity as the last column.
  func models<Model: MappedModel>(
    of model: Model.Type, _ sql: String, _ arguments: PostgresArguments
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    let result = try connection.query(sql, arguments)
    let mapping = Model.mapping
    let entity = try schema.compiled.binding(of: model).entity.entity
    let decoder = PostgresRowDecoder(entity: entity, keys: mapping.keys)
    decoder.setTypes(of: result)
    var models: [Model] = []
    models.reserveCapacity(result.rowCount)
    var row = 0
    try mapping.read(into: &models, from: decoder) {
      guard row < result.rowCount else { return false }
      decoder.move(to: result[row])
      row += 1
      return true
    }
    let identity = mapping.keys.count
    return (result.rows.map { $0.int64(identity) }, models)
  }

  func fingerprints(of rowIDs: [Int64], in table: CompiledTable) throws -> [Int64: [UInt64]] {
    var found: [Int64: [UInt64]] = [:]
    if rowIDs.isEmpty { return found }
    let recorded = RecordedTable(table)
    let values = recorded.columns.isEmpty ? "" : ", " + recorded.values(of: "r")
    var arguments = PostgresArguments()
    arguments.append(rowIDs)
    let result = try connection.query(
      "SELECT r.\(recorded.identity)\(values) FROM \(quotedName(table.name)) r"
        + " WHERE r.\(recorded.identity) = ANY($1)", arguments)
    found.reserveCapacity(result.rowCount)
    for row in result.rows {
      found[row.int64(0)] = recorded.columns.enumerated().map { index, column in
        // The bytes of these types always have a fingerprint.
        row.isNull(index + 1)
          ? Fingerprint.ofNull
          : row.withBytes(index + 1) { column.fingerprint(of: $0) } ?? Fingerprint.ofNull
      }
    }
    return found
  }

  func integers(
    _ column: String, in table: String, where other: String, isIn values: Set<Int64>
  ) throws -> Set<Int64> {
    if values.isEmpty { return [] }
    // The row identity of a link table has this name in SQLite.
    let other = quotedName(other == "rowid" ? ReservedName.identity : other)
    var arguments = PostgresArguments()
    arguments.append(values)
    let result = try connection.query(
      "SELECT DISTINCT \(quotedName(column))::int8 FROM \(quotedName(table))"
        + " WHERE \(other) = ANY($1) AND \(quotedName(column)) IS NOT NULL", arguments)
    return Set(result.rows.map { $0.int64(0) })
  }

  func unreportedRows(in table: String) throws -> RowWriteSet? {
    if let reportedChanges { return reportedChanges[table] }
    guard isWriting else { return nil }
    let connection = try connection
    let log = PostgresLogSchema(schema, schemaName: connection.schemaName)
    return try LogReader(log).unreportedRows(in: table, on: connection)
  }
}
