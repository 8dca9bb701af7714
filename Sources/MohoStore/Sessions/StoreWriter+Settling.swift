import GRDB
import MohoMapping

// A call is carried out as its models say first, which is fastest. If that
// updates a row for the second time, it is undone, and carried out so that each
// row is updated once, to what the last of its models says. Where that breaks a
// constraint that the models one by one do not break, they are saved one by one.
extension StoreWriter {
  /// Saves models, and writes no row that holds what the last of its models says.
  ///
  /// - Parameter isRepeating: Whether several models are known to be one row.
  func settle<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, isRepeating: Bool = false
  ) throws -> SaveReport {
    try reader.perform { database in
      guard Model.mapping.isSavedInGraphs else {
        return try settle(
          database, isRepeating: isRepeating, keys: { try repeatedKeys(of: models, database) }
        ) { try saveRows(models, mode, database, repeating: $0) }
      }
      return try settle(
        database, isRepeating: isRepeating,
        keys: { try GraphWriter<Model>.repeatedKeys(of: models, database, session.schema) }
      ) { try saveGraph(models, mode, database, repeating: $0) }
    }
  }

  /// Updates rows from partial models, and writes no row that holds what they
  /// say together.
  func settle<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try reader.perform { database in
      try settle(database, keys: {}) { repeating in
        let log: SavedRowLog? = if case .detected = repeating { SavedRowLog() } else { nil }
        let entity = try session.schema.entity(of: Model.self)
        let updates = PartialUpdates<Model>(
          try PartialWriter(database, entity, log: log), database, session.schema, log)
        guard case .settled = repeating else {
          for (index, partial) in partials.enumerated() {
            try updates.update(partial, at: index)
          }
          return try updates.finish()
        }
        return try updates.update(merging: partials)
      }
    }
  }

  private func settle<Keys>(
    _ database: Database, isRepeating: Bool = false, keys: () throws -> Keys,
    _ save: (RepeatedRows<Keys>) throws -> SaveReport
  ) throws -> SaveReport {
    let recorder = WriteRecorder.known(of: database)
    let unwritten = recorder?.unwrittenTables ?? []
    return try withSavepoint(database) {
      if !isRepeating {
        do {
          return try save(.detected)
        } catch is RepeatedRow {
          try undoSavepoint(database)
          recorder?.forgetWrites(to: unwritten)
        }
      }
      do {
        return try save(.settled(keys()))
      } catch let error as StoreError where error.code == .notUnique {
        guard database.isInsideTransaction else { throw error }
        try undoSavepoint(database)
        recorder?.forgetWrites(to: unwritten)
        return try save(.allowed)
      }
    }
  }

  /// The unique keys that several models have.
  private func repeatedKeys<Model: MappedModel>(
    of models: some Sequence<Model>, _ database: Database
  ) throws -> Set<UniqueKey> {
    let writer = try ModelWriter<Model>(database, session.schema.entity(of: Model.self))
    var (known, repeated): (Set<UniqueKey>, Set<UniqueKey>) = ([], [])
    for model in models {
      if let key = try writer.key(of: model), !known.insert(key).inserted { repeated.insert(key) }
    }
    return repeated
  }

  /// Saves models that are not linked to others.
  ///
  /// - Parameter isList: Whether messages tell the position of a model.
  func saveRows<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ database: Database,
    repeating: RepeatedRows<Set<UniqueKey>>, isList: Bool = true
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, database, session.schema)
    let log: SavedRowLog? = if case .detected = repeating { SavedRowLog() } else { nil }
    let writer = try ModelWriter<Model>(
      database, session.schema.entity(of: Model.self), log: log)
    var report: SaveReport
    if case .settled(let keys) = repeating {
      report = try settle(models, keys, by: writer, scope)
    } else {
      report = try save(models) { model, index in
        let outcome = try writer.save(model, at: isList ? index : nil)
        try scope?.keep(model.pointee)
        return outcome
      }
    }
    report.deleted += try scope?.deleteOthers() ?? 0
    return report
  }

  /// Saves models one by one: those of an array where they are, for copies of
  /// models are retained text by text.
  private func save<Model>(
    _ models: some Sequence<Model>, by save: (UnsafePointer<Model>, Int) throws -> SaveOutcome
  ) throws -> SaveReport {
    var report = SaveReport()
    let isDone: Void? = try models.withContiguousStorageIfAvailable { models in
      guard let start = models.baseAddress else { return }
      for index in models.indices { report.count(try save(start + index, index)) }
    }
    if isDone == nil {
      for (index, model) in models.enumerated() {
        report.count(try withUnsafePointer(to: model) { try save($0, index) })
      }
    }
    return report
  }

  /// Saves models, those of which several are one row after all others.
  private func settle<Model: MappedModel>(
    _ models: some Sequence<Model>, _ repeated: Set<UniqueKey>, by writer: ModelWriter<Model>,
    _ scope: MirrorScope?
  ) throws -> SaveReport {
    var last: [UniqueKey: (model: Model, index: Int, isNew: Bool)] = [:]
    var order: [UniqueKey] = []
    var report = try save(models) { model, index in
      guard let key = try writer.key(of: model.pointee), repeated.contains(key) else {
        let outcome = try writer.save(model, at: index)
        try scope?.keep(model.pointee)
        return outcome
      }
      // So that others can refer to the row, and all models are checked.
      let outcome = try writer.insert(model, at: index)
      try scope?.keep(model.pointee)
      let isKnown = last[key] != nil
      if !isKnown { order.append(key) }
      last[key] = (model.pointee, index, isKnown ? last[key]?.isNew == true : outcome == .inserted)
      return outcome
    }
    for (model, index, isNew) in order.compactMap({ last[$0] }) {
      let outcome = try withUnsafePointer(to: model) { try writer.save($0, at: index) }
      if outcome == .updated, !isNew { report.countUpdateOfUnchanged() }
    }
    return report
  }

  /// Saves models with those that they are linked to.
  func saveGraph<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ database: Database,
    repeating: RepeatedRows<RepeatedNodeKeys>, isList: Bool = true
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, database, session.schema)
    let writer = try GraphWriter<Model>(database, session.schema, repeating: repeating)
    try GraphWriter<Model>.forEachBatch(of: models) { batch, start in
      try writer.save(batch, from: isList ? start : nil, recordingIn: scope)
    }
    var report = try writer.finish()
    report.deleted += try scope?.deleteOthers() ?? 0
    return report
  }
}
