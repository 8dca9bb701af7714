import MohoMapping
import MohoRows

// Many models are saved with each statement. If a model has the unique key of
// another one, this is undone, and each row is saved once from the last of its
// models. If a statement violates a constraint, it is undone, too, and all models are
// saved again, with a savepoint for each statement. Statements that fail are divided:
// this finds all models that violate constraints, and succeeds if only the order of the
// rows was the reason.
extension PostgresSession {
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport {
    // The models may be processed several times.
    if models is any Collection { return try saveOnce(models, mode, meter) }
    return try saveOnce(RepeatableSequence(models), mode, meter)
  }

  func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    try writing { saving in
      let models = CollectionOfOne(model)
      guard Model.mapping.isSavedInGraphs else {
        return try saveRows(models, .save, saving, repeating: .allowed, isList: false)
      }
      return try saveGraph(models, .save, saving, repeating: .allowed, isList: false)
    }
  }

  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport {
    do {
      if case .save = mode, let report = try copy(fields, meter) { return report }
    } catch is RepeatedRow {
      return try saveOnce(fields.models(), mode, meter, isRepeating: true)
    }
    return try save(fields.models(), mode: mode, meter)
  }

  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    let node = try schema.compiled.node(of: Model.self)
    try Model.mapping.checkDeclaration()
    let keys = try models.map {
      guard !node.unique.isEmpty else { throw StoreError.noUniqueKey(toDelete: node) }
      return try schema.compiled.stored(key: Model.mapping.identity(of: $0, by: node.unique))
    }
    if keys.isEmpty { return 0 }
    let connection = try connection
    let columns = IdentifyingColumns(node.entity, schema.compiled)
    let rows = try RowResolver(connection, schema.compiled).keyRows(keys, of: node.entity)
    let source = RowArrays.source(columns.types, as: "i")
    let condition = columns.condition("s", "i")
    guard !schema.compiled.needsDeleter(node.entity) else {
      let sql = """
        SELECT DISTINCT s.\(node.identity) FROM \(quotedName(node.name)) AS s, \(source) \
        WHERE \(condition)
        """
      let ids = Array(try connection.query(sql, rows.arguments).rows.map { $0.int64(0) })
      try delete(ids, of: node.entity)
      return ids.count
    }
    return try connection.withSavepoint {
      try connection.query(
        "DELETE FROM \(quotedName(node.name)) AS s USING \(source) WHERE \(condition)",
        rows.arguments
      ).affectedRows
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
    guard Model.mapping.isSavedInGraphs else {
      // A row can have a value of an earlier model.
      return try writingOnce(
        isRepeating: isRepeating, isDeferring: !Model.mapping.hasMerges,
        keys: { try LastModels(of: models, connection, schema) }
      ) { try saveRows(models, mode, $0, repeating: $1, meter) }
    }
    return try writingOnce(
      isRepeating: isRepeating,
      keys: {
        try GraphWriter.repeatedKeys(of: models, PostgresGraphStatements(self), schema)
      }
    ) { try saveGraph(models, mode, $0, repeating: $1, meter) }
  }

  /// Runs a closure that writes rows in a savepoint, again if it violates a
  /// constraint.
  private func writing(_ save: (SavingMode) throws -> SaveReport) throws -> SaveReport {
    let connection = try connection
    return try connection.withSavepoint {
      do {
        return try save(.fast)
      } catch let error as StoreError where error.isConstraintFailure {
        try connection.undoToSavepoint()
        return try save(.careful)
      }
    }
  }

  /// Runs a closure that writes rows as ``writing(_:)`` does, and again if it
  /// writes a row twice.
  ///
  /// - Parameters:
  ///   - isDeferring: As ``RepeatedRows/write(isRepeating:isDeferring:keys:undo:_:)``.
  ///   - keys: Returns the keys of the rows that are written several times.
  func writingOnce<Keys>(
    isRepeating: Bool = false, isDeferring: Bool = true, keys: () throws -> Keys,
    _ save: (SavingMode, RepeatedRows<Keys>) throws -> SaveReport
  ) throws -> SaveReport {
    try writing { mode in
      try RepeatedRows.write(
        isRepeating: isRepeating, isDeferring: isDeferring, keys: keys,
        undo: {
          guard try !connection.isLost else { return false }
          try connection.undoToSavepoint()
          return true
        }
      ) { try save(mode, $0) }
    }
  }
}

extension PostgresSession {
  /// Saves models without relations.
  ///
  /// - Parameter isList: Whether errors contain the position of a model.
  private func saveRows<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ saving: SavingMode,
    repeating: RepeatedRows<LastModels<Model>>, isList: Bool = true, _ meter: ImportMeter? = nil
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, self)
    let failures = WriteFailures(saving)
    var writer = try ModelWriter<Model>(connection, schema, saving, failures, mirrored: scope)
    let count: Int
    switch repeating {
    case .detected:
      writer = try ModelWriter(
        connection, schema, saving, failures, detectsRepetitions: true, mirrored: scope)
      count = try forEach(of: models, meter) { try writer.add($0, at: isList ? $1 : nil) }
    case .deferred(let last):
      var seen: Set<UniqueKey> = []
      count = try forEach(of: models, meter) { model, index in
        guard let key = try? writer.key(of: model.pointee), let row = last[key] else {
          return try writer.add(model, at: index)
        }
        // The row is written at the position of its first model. Every model
        // must be valid.
        if seen.insert(key).inserted {
          try withUnsafePointer(to: row.model) { try writer.add($0, at: row.index) }
        } else {
          writer.countRepetition()
        }
        if index != row.index { try writer.check(model, at: index) }
      }
    case .allowed:
      writer = try ModelWriter(
        connection, schema, saving, failures, isSingle: isList, mirrored: scope)
      count = try forEach(of: models, meter) { try writer.add($0, at: isList ? $1 : nil) }
    }
    try writer.save()
    try failures.check()
    var report = writer.report
    report.deleted += try scope?.deleteRemaining() ?? 0
    try meter?.report(count, of: count)
    return report
  }

  /// Calls a closure with the address of each model. Elements of an array are not
  /// copied, because copying a model retains each of its strings.
  private func forEach<Model>(
    of models: some Sequence<Model>, _ meter: ImportMeter?,
    _ body: (UnsafePointer<Model>, Int) throws -> Void
  ) throws -> Int {
    var next = meter?.next ?? .max
    var count = 0
    let isDone: Void? = try models.withContiguousStorageIfAvailable { models in
      guard let start = models.baseAddress else { return }
      for index in models.indices {
        try body(start + index, index)
        if index + 1 >= next { next = try meter?.report(index + 1, of: models.count) ?? .max }
      }
      count = models.count
    }
    if isDone == nil {
      let total = meter == nil ? nil : (models as? any Collection)?.count
      for model in models {
        try withUnsafePointer(to: model) { try body($0, count) }
        count += 1
        if count >= next { next = try meter?.report(count, of: total) ?? .max }
      }
    }
    return count
  }

  /// Saves models together with their related models.
  private func saveGraph<Model: MappedModel>(
    _ models: some Sequence<Model>, _ mode: SaveMode<Model>, _ saving: SavingMode,
    repeating: RepeatedRows<RepeatedNodeKeys>, isList: Bool = true, _ meter: ImportMeter? = nil
  ) throws -> SaveReport {
    let scope = try MirrorScope(mode, self)
    let writer = try GraphWriter<Model>(
      PostgresGraphStatements(self, saving), schema, repeating: repeating)
    var (report, count) = try writer.save(all: models, isList: isList, mirrored: scope, meter)
    report.deleted += try scope?.deleteRemaining() ?? 0
    try meter?.report(count, of: count)
    return report
  }

  /// Copies the fields of objects to rows, without creating models.
  ///
  /// - Returns: Nil, with nothing saved, if models must be created.
  private func copy<Model: MappedModel>(
    _ fields: UndecodedModels<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport? {
    let mapping = Model.mapping
    guard !mapping.isSavedInGraphs, mapping.issues.isEmpty else { return nil }
    let connection = try connection
    let writer = try ModelWriter<Model>(connection, schema, detectsRepetitions: true)
    guard writer.copiesFields else { return nil }
    var count = 0
    var next = meter?.next ?? .max
    do {
      return try connection.withSavepoint {
        let isDone = try fields.forEach { fields in
          try writer.add(fields)
          // Check the first eight objects, and then the objects at powers of
          // two.
          guard count < 8 || count & (count - 1) == 0 else { return }
          guard try mapping.copiesAsWritten(from: fields) else { throw ModelsNeeded() }
        } _: { end in
          try writer.endFields()
          count += 1
          guard let meter, count >= next else { return }
          next = try meter.report(count, of: nil, bytes: (end, fields.byteCount))
        }
        guard isDone else { throw ModelsNeeded() }
        try writer.save()
        try meter?.report(count, of: count, bytes: (fields.byteCount, fields.byteCount))
        return writer.report
      }
    } catch let error as RepeatedRow {
      throw error
    } catch {
      // Creating the models would not find another error.
      if error is CancellationError || meter?.hasFailed == true || connection.isLost {
        throw error
      }
      return nil
    }
  }
}

/// An error for fields that cannot be saved without creating models.
private struct ModelsNeeded: Error {}
