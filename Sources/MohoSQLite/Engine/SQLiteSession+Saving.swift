import GRDB
import MohoMapping
import MohoRows

// Models are first saved in their order, which is the fastest way. If this
// updates a row for the second time, it is undone, and each row is updated once
// from the last of its models. If this violates a constraint that is not
// violated by saving the models one by one, the models are saved one by one.
//
// After an error of a model, the other models are saved, to find their errors. The
// savepoint of the call undoes this.
extension SQLiteSession {
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport {
    // The models may be processed twice.
    if models is any Collection { return try saveOnce(models, mode, meter) }
    return try saveOnce(RepeatableSequence(models), mode, meter)
  }

  func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    try perform { database in
      // A single statement needs no savepoint.
      guard Model.mapping.isSavedInGraphs else {
        return try saveRows(
          CollectionOfOne(model), .save, database, repeating: .allowed, isList: false)
      }
      return try withSavepoint(database) { _ in
        try withPostponedIndexing(database) {
          try saveGraph(CollectionOfOne(model), .save, database, repeating: .allowed, isList: false)
        }
      }
    }
  }

  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    if partials is any Collection { return try updateOnce(partials) }
    return try updateOnce(RepeatableSequence(partials))
  }

  func upsert<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try perform { database in
      try withSavepoint(database) { _ in
        let writer = try PartialWriter<Model>(database, schema)
        let upserts = try PartialUpserts(Array(partials), writer)
        return try withPostponedIndexing(database) {
          try upserts.write({ try save($0, mode: .save, nil) }, { try update($0) })
        }
      }
    }
  }

  /// Saves models. A row that is equal to the last of its models is not
  /// written.
  ///
  /// - Parameter isRepeating: Whether it has been detected that several models
  ///   share a row.
  func saveOnce<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ meter: ImportMeter? = nil,
    isRepeating: Bool = false
  ) throws -> SaveReport {
    try perform { database in
      guard Model.mapping.isSavedInGraphs else {
        // A row can have a value of an earlier model.
        return try writeOnce(
          database, isRepeating: isRepeating, isDeferring: !Model.mapping.hasMerges,
          keys: { try repeatedKeys(of: models, database) }
        ) { try saveRows(models, mode, database, repeating: $0, meter) }
      }
      return try writeOnce(
        database, isRepeating: isRepeating,
        keys: {
          try GraphWriter.repeatedKeys(
            of: models, SQLiteGraphStatements(database, statements), schema)
        }
      ) { try saveGraph(models, mode, database, repeating: $0, meter) }
    }
  }

  /// Updates rows from partial models. If a row already has the values of all
  /// its partial models, it is not written.
  private func updateOnce<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try perform { database in
      try writeOnce(database, keys: {}) { repeating in
        let log = SavedRowLog(detectsRepetitions: repeating.isDetected)
        let failures = WriteFailures { database.isInsideTransaction }
        let writer = try PartialWriter<Model>(database, schema, log: log, failures)
        let updates = try PartialUpdates(writer, from: self, schema) {
          try GraphWriter(
            SQLiteGraphStatements(database, self.statements, failures), self.schema,
            repeating: repeating.isDetected ? .detected : .allowed, rootLog: log)
        }
        let report = try updates.update(partials, merging: repeating.isDeferred)
        try StoreReader(session: self).checkRules(of: Model.self, afterUpdating: log)
        return report
      }
    }
  }

  /// Runs a closure that writes rows, again if it writes a row twice.
  private func writeOnce<Keys>(
    _ database: Database, isRepeating: Bool = false, isDeferring: Bool = true,
    keys: () throws -> Keys,
    _ save: (RepeatedRows<Keys>) throws -> SaveReport
  ) throws -> SaveReport {
    try withSavepoint(database) { savepoint in
      try RepeatedRows.write(
        isRepeating: isRepeating, isDeferring: isDeferring, keys: keys,
        undo: {
          guard database.isInsideTransaction else { return false }
          try savepoint.undo()
          return true
        }
      ) { repeating in
        try withPostponedIndexing(database) { try save(repeating) }
      }
    }
  }

  /// Returns the unique keys that several models have.
  private func repeatedKeys<Model: MappedModel>(
    of models: some Sequence<Model>, _ database: Database
  ) throws -> Set<UniqueKey> {
    let writer = try ModelWriter<Model>(database, schema)
    var (known, repeated): (Set<UniqueKey>, Set<UniqueKey>) = ([], [])
    for model in models {
      // An error is reported when the model is saved.
      if let key = try? writer.key(of: model), !known.insert(key).inserted {
        repeated.insert(key)
      }
    }
    return repeated
  }

  /// Saves models without relations.
  ///
  /// - Parameter isList: Whether errors contain the position of a model.
  private func saveRows<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ database: Database,
    repeating: RepeatedRows<Set<UniqueKey>>, isList: Bool = true, _ meter: ImportMeter? = nil
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, database, schema)
    let writer = try ModelWriter<Model>(
      database, schema, log: repeating.isDetected ? SavedRowLog() : nil)
    let failures = WriteFailures { database.isInsideTransaction }
    var report: SaveReport
    let count: Int
    if case .deferred(let keys) = repeating {
      (report, count) = try save(models, deferring: keys, by: writer, scope, failures, meter)
    } else {
      (report, count) = try save(models, meter) { model, index in
        do {
          let outcome = try writer.save(model, at: isList ? index : nil)
          try scope?.retain(model.pointee)
          return outcome
        } catch {
          try failures.add(error)
          return .unchanged
        }
      }
    }
    try failures.check()
    report.deleted += try scope?.deleteRemaining() ?? 0
    try meter?.report(count, of: count)
    return report
  }

  /// Saves models one by one. Elements of an array are saved in place, because
  /// copying a model retains each of its strings.
  private func save<Model>(
    _ models: some Sequence<Model>, _ meter: ImportMeter?,
    by save: (UnsafePointer<Model>, Int) throws -> SaveOutcome
  ) throws -> (report: SaveReport, count: Int) {
    var report = SaveReport()
    var next = meter?.next ?? .max
    var count = 0
    let isDone: Void? = try models.withContiguousStorageIfAvailable { models in
      guard let start = models.baseAddress else { return }
      for index in models.indices {
        report.count(try save(start + index, index))
        if index + 1 >= next { next = try meter?.report(index + 1, of: models.count) ?? .max }
      }
      count = models.count
    }
    if isDone == nil {
      let total = meter == nil ? nil : (models as? any Collection)?.count
      for model in models {
        report.count(try withUnsafePointer(to: model) { try save($0, count) })
        count += 1
        if count >= next { next = try meter?.report(count, of: total) ?? .max }
      }
    }
    return (report, count)
  }

  /// Saves models. Models that share a row are saved after all others.
  private func save<Model: MappedModel>(
    _ models: some Sequence<Model>, deferring repeated: Set<UniqueKey>,
    by writer: ModelWriter<Model>, _ scope: MirrorScope?, _ failures: WriteFailures,
    _ meter: ImportMeter?
  ) throws -> (report: SaveReport, count: Int) {
    var last: [UniqueKey: (model: Model, index: Int, isNew: Bool)] = [:]
    var order: [UniqueKey] = []
    func saveFirst(_ model: UnsafePointer<Model>, _ index: Int) throws -> SaveOutcome {
      guard let key = try? writer.key(of: model.pointee), repeated.contains(key) else {
        let outcome = try writer.save(model, at: index)
        try scope?.retain(model.pointee)
        return outcome
      }
      // The row must exist, because other models may refer to it. Every model
      // must be validated.
      let outcome = try writer.insert(model, at: index)
      try scope?.retain(model.pointee)
      let isKnown = last[key] != nil
      if !isKnown { order.append(key) }
      last[key] = (model.pointee, index, isKnown ? last[key]?.isNew == true : outcome == .inserted)
      return outcome
    }
    var (report, count) = try save(models, meter) { model, index in
      do {
        return try saveFirst(model, index)
      } catch {
        try failures.add(error)
        return .unchanged
      }
    }
    for (model, index, isNew) in order.compactMap({ last[$0] }) {
      do {
        let outcome = try withUnsafePointer(to: model) { try writer.save($0, at: index) }
        if outcome == .updated, !isNew { report.countUpdateOfUnchanged() }
      } catch {
        try failures.add(error)
      }
    }
    return (report, count)
  }

  /// Saves models together with their related models.
  private func saveGraph<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ database: Database,
    repeating: RepeatedRows<RepeatedNodeKeys>, isList: Bool = true, _ meter: ImportMeter? = nil
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, database, schema)
    let writer = try GraphWriter<Model>(
      SQLiteGraphStatements(database, statements), schema, repeating: repeating)
    var (report, count) = try writer.save(all: models, isList: isList, mirrored: scope, meter)
    report.deleted += try scope?.deleteRemaining() ?? 0
    try meter?.report(count, of: count)
    return report
  }
}
