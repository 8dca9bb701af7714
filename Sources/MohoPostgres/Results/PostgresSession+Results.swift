import MohoMapping
import MohoRows

extension PostgresSession {
  func resultReader(
    of request: ResolvedRequest, models model: (any MappedModel.Type)?, isSectioned: Bool
  ) throws -> any ResultReader {
    let reader =
      try reportedCommit?.resultReaders.reader(
        of: request, models: model, isSectioned: isSectioned, schema)
      ?? PostgresResultReader(request, models: model, isSectioned: isSectioned, schema)
    // Later steps may read tables that the first one does not read.
    if let locks = try connection.stepLocks { try locks.lock(reader.tables, on: connection) }
    return reader
  }

  /// Returns the models of a query with an identity as the last column.
  func models<Model: MappedModel>(
    of model: Model.Type, _ sql: String, _ arguments: PostgresArguments
  ) throws -> (rowIDs: [Int64], models: [Model]) {
    let result = try connection.query(sql, arguments)
    var models: [Model] = []
    models.reserveCapacity(result.rowCount)
    if Model.mapping.hasRelations {
      let graph = try GraphReader(model, self, schema)
      let columns = StoredValueReader(result)
      models = try graph.models(
        of: result.rows.map { StoredRow(graph.root, try columns.values($0, from: 0)) })
    } else {
      let entity = try schema.compiled.node(of: model).entity.entity
      try PostgresRowDecoder(entity: entity, keys: Model.mapping.fieldKeys)
        .read(model, result, into: &models)
    }
    let identity = result.columnCount - 1
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
    _ column: String, in table: String, where other: String?, isIn values: Set<Int64>
  ) throws -> Set<Int64> {
    if values.isEmpty { return [] }
    let other = quotedName(other ?? ReservedName.identity)
    var arguments = PostgresArguments()
    arguments.append(values)
    let result = try connection.query(
      "SELECT DISTINCT \(quotedName(column))::int8 FROM \(quotedName(table))"
        + " WHERE \(other) = ANY($1) AND \(quotedName(column)) IS NOT NULL", arguments)
    return Set(result.rows.map { $0.int64(0) })
  }
}
