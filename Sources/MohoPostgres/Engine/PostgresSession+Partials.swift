import MohoMapping
import MohoRows

extension PostgresSession {
  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    if partials is any Collection { return try updateOnce(partials) }
    return try updateOnce(RepeatableSequence(partials))
  }

  func upsert<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    return try connection.withSavepoint {
      let resolver = try RowResolver(connection, schema.compiled)
      let upserts = try PartialUpserts(
        Array(partials), PartialWriter<Model>(connection, resolver, schema))
      return try upserts.write({ try save($0, mode: .save, nil) }, { try update($0) })
    }
  }

  /// Updates rows from partial models, those with relations in batches. If a batch fails, they
  /// are updated one after the other.
  private func updateOnce<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    do {
      return try updateOnce(partials, graphBatchSize: 1_000)
    } catch is FailedBatch {
      return try updateOnce(partials, graphBatchSize: 1)
    }
  }

  /// Updates rows from partial models. If a row already has the values of all
  /// its partial models, it is not written.
  private func updateOnce<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>, graphBatchSize: Int
  ) throws -> SaveReport {
    try writingOnce(keys: {}) { mode, repeating in
      let log = SavedRowLog(detectsRepetitions: repeating.isDetected)
      let statements = try PostgresGraphStatements(
        self, mode, partialBatchSize: mode == .careful ? 1 : graphBatchSize)
      let writer = try PartialWriter<Model>(
        connection, statements.resolver, schema, mode, log: log, statements.failures)
      let updates = try PartialUpdates(writer, from: self, schema) {
        try GraphWriter(
          statements, self.schema, repeating: repeating.isDetected ? .detected : .allowed,
          rootLog: log)
      }
      let report = try updates.update(partials, merging: repeating.isDeferred)
      try StoreReader(session: self).checkRules(of: Model.self, afterUpdating: log)
      return report
    }
  }
}
