import MohoMapping
import MohoRows

extension PostgresSession {
  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    if partials is any Collection { return try updateOnce(partials) }
    return try updateOnce(RepeatableSequence(partials))
  }

  func save<Model: MappedModel>(
    partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    let node = try schema.compiled.binding(of: Model.self)
    return try connection.withSavepoint {
      let resolver = try RowResolver(connection, schema.compiled)
      let upserts = try PartialUpserts(
        Array(partials), PartialWriter<Model>(connection, resolver, schema)
      ) { keys in
        try resolver.identities(of: keys, in: node.entity, isVerified: true).map { $0 != nil }
      }
      // New rows first: stored rows may refer to them.
      let inserted = try upserts.save { try save($0, mode: .save, nil) }
      let updated = try upserts.update { try update($0) }
      return inserted + updated + SaveReport(unchanged: upserts.repetitions)
    }
  }

  /// Updates rows from partial models. If a row already has the values of all
  /// its partial models, it is not written.
  private func updateOnce<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try writingOnce(keys: {}) { mode, repeating in
      let log = SavedRowLog(detectsRepetitions: repeating.isDetected)
      let statements = try PostgresGraphStatements(self, mode)
      let writer = try PartialWriter<Model>(
        connection, statements.resolver, schema, mode, log: log)
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
