package import MohoMapping

// The rules of a model hold for everything that the model reads, including related rows. A
// transaction may break and restore them any number of times: they are checked once, before
// it is committed. A part of a transaction, such as the save of a context, only answers for the
// rows that it has written. The models that contain changed rows are found by the same search
// that finds the rows of a live result.
extension StoreWriter {
  /// The maximum number of failures that are collected.
  private static let failureLimit = 100

  /// Checks the rules of all models that may read rows that the transaction has written.
  ///
  /// - Throws: A `MappingError` that names the rows that break rules, or a ``StoreError`` if the
  ///   transaction has left links to rows that do not exist.
  /// - Complexity: Reads the models, 500 at a time. Nothing if the schema has no rules that
  ///   may read related rows.
  package func checkRules() throws {
    guard session.schema.compiled.hasRulesOverRelations, !session.hasCheckedRules else { return }
    let tables = try session.schema.rulesOverRelations.tables
    try throwError(for: rowsBreakingRules(session.rowsWrittenInTransaction(to: tables)))
  }

  /// Runs a closure that writes, and checks the rules of all models that may read rows that it
  /// has written.
  ///
  /// - Throws: The errors of ``checkRules()``.
  package func checkingRules<Result>(_ body: () throws -> Result) throws -> Result {
    guard session.schema.compiled.hasRulesOverRelations else { return try body() }
    let tables = try session.schema.rulesOverRelations.tables
    let (result, written) = try session.recordingRows(of: tables, body)
    if !session.hasCheckedRules { try throwError(for: rowsBreakingRules(written)) }
    return result
  }

  /// Runs a closure that writes, and returns rows that break rules, and that may read rows that
  /// the closure has written. A row that only contains such rows is omitted.
  func findingBrokenRules<Result>(
    _ body: () throws -> Result
  ) throws -> (result: Result, failures: [RowFailure]) {
    let tables = try session.schema.rulesOverRelations.tables
    let (result, written) = try session.recordingRows(of: tables, body)
    return (result, try rowsBreakingRules(written))
  }

  private func throwError(for failures: [RowFailure]) throws {
    guard let error = MappingError(failures.map(\.error)) else { return }
    // A model may be invalid because it refers to a row that does not exist.
    try session.checkReferences()
    throw error
  }

  private func rowsBreakingRules(_ written: CommittedChanges) throws -> [RowFailure] {
    if written.hasAllTables, written.tables.isEmpty { return [] }
    var failures: [RowFailure] = []
    for (model, result) in try session.schema.rulesOverRelations.results
    where failures.count < Self.failureLimit {
      let rows = try reader.rows(of: result, changedBy: written)
      failures += try reader.failures(
        of: model, rows, limit: Self.failureLimit - failures.count)
    }
    return failures.withoutContainingRows
  }
}

extension [RowFailure] {
  /// The failures without rows that fail only because they contain other rows of the array.
  fileprivate var withoutContainingRows: [RowFailure] {
    let rows = Set(map { "\($0.identity)" })
    return filter { failure in
      failure.error.errors.contains { error in
        error.row.map { $0 == "\(failure.identity)" || !rows.contains($0) } ?? true
      }
    }
  }
}

extension StoreReader {
  /// Checks the rules of updated rows, unless these rules are checked at the end of the
  /// transaction because they may read related rows.
  ///
  /// - Throws: A `MappingError` that names the rows that break rules.
  package func checkRules<Model: MappedModel>(
    of model: Model.Type, afterUpdating log: SavedRowLog
  ) throws {
    guard Model.mapping.hasModelRules, !Model.mapping.hasRulesOverRelations else { return }
    let failures = try failures(of: model, log.updatedRows.sorted(), limit: 100)
    if let error = MappingError(failures.map(\.error)) { throw error }
  }

  /// Returns the rows of a result whose models may have changed, by identity.
  fileprivate func rows(
    of result: ResultDefinition, changedBy changes: CommittedChanges
  ) throws -> [Int64] {
    let touched = changes.hasAllTables ? try touchedRows(of: result, by: changes) : nil
    guard let touched, touched.keysOfUnknownRows.isEmpty else {
      return try session.identities(of: RowRequest(result.entity.name)).sorted()
    }
    return touched.newRows.rows.union(touched.writtenRows.keys).union(touched.relatedKeys.keys)
      .sorted()
  }

  fileprivate func failures<Model: MappedModel>(
    of model: Model.Type, _ rowIDs: [Int64], limit: Int
  ) throws -> [RowFailure] {
    var reading = try LossyReading(model, self, upTo: limit)
    for rowIDs in rowIDs.batches where !reading.isFull { try reading.read(rowIDs) }
    return reading.failures
  }
}
