public import GRDB
public import MohoMapping

/// Changes a store in one transaction, for as long as the closure runs that it
/// is handed to. What it reads includes its own changes.
///
/// Not `Sendable`, and not to be kept: once the closure has returned, its
/// methods throw ``StoreError`` of code ``StoreError/Code/invalidRequest``.
public struct StoreWriter {
  let session: StoreSession

  /// Reads the store with the changes made so far.
  public var reader: StoreReader { StoreReader(session: session) }

  /// Saves models: a model whose unique key is stored updates that row if it
  /// differs from it, any other is inserted.
  ///
  /// The same statement is carried out for each model, and none looks for it
  /// first. A row that is equal already is not written.
  ///
  /// - Throws: `MappingError` where a model has a value that cannot be stored,
  ///   ``StoreError`` where it breaks a constraint. The models before it are
  ///   part of the transaction, unless the error ends it.
  @discardableResult
  public func save<Model: MappedModel>(_ models: some Sequence<Model>) throws -> SaveReport {
    let writer = try reader.perform { database in
      try ModelWriter<Model>(database, session.schema.entity(of: Model.self))
    }
    var report = SaveReport()
    try reader.perform { _ in
      for model in models { report.count(try writer.save(model)) }
    }
    return report
  }

  /// Saves one model.
  ///
  /// - Throws: As ``save(_:)-(Sequence<Model>)``.
  @discardableResult
  public func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    try save(CollectionOfOne(model))
  }

  /// Updates the rows whose unique keys partial models have: columns of keys
  /// that are present are written, nil too; all others stay.
  ///
  /// ```swift
  /// var change = Partial<Episode>()
  /// change[\.id] = 113
  /// change[\.summary] = .some(nil)
  /// try store.write { try $0.update([change]) }
  /// ```
  ///
  /// A row that has the values already is not written, and none is made.
  ///
  /// - Throws: ``StoreError`` where a partial model does not have the unique
  ///   key, or breaks a constraint; `MappingError` where it has a value that
  ///   cannot be stored.
  @discardableResult
  public func update<Model: MappedModel>(
    _ partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport {
    try reader.perform { database in
      let writer = try PartialWriter<Model>(database, session.schema.entity(of: Model.self))
      var report = SaveReport()
      for partial in partials { report.count(try writer.update(partial)) }
      return report
    }
  }

  /// Runs SQL of one's own, of one statement or several, in the transaction.
  ///
  /// - Parameters:
  ///   - sql: The statements. Values belong into the arguments.
  ///   - arguments: The values of the parameters of all statements.
  /// - Throws: ``StoreError``, with the keys whose constraints are broken.
  public func execute(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try reader.perform { try $0.execute(sql: sql, arguments: arguments) }
  }

  /// Deletes the rows of a request.
  ///
  /// - Returns: The number of rows that are gone.
  /// - Throws: ``StoreError``.
  @discardableResult
  public func delete(_ request: some StoreRequest) throws -> Int {
    let sql = try RequestSQL(request, session.schema).delete
    return try reader.perform { database in
      try database.execute(sql: sql.sql, arguments: StatementArguments(sql.arguments))
      return database.changesCount
    }
  }

  /// Deletes the rows whose unique keys models have.
  ///
  /// - Returns: The number of rows that are gone.
  /// - Throws: ``StoreError`` where the model has no unique key.
  @discardableResult
  public func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    try reader.perform { database in
      let writer = try ModelWriter<Model>(database, session.schema.entity(of: Model.self))
      var count = 0
      for model in models { count += try writer.delete(model) }
      return count
    }
  }
}

/// What saving models did to their rows.
public struct SaveReport: Sendable, Hashable {
  /// How many rows are new.
  public private(set) var inserted: Int
  /// How many rows have changed.
  public private(set) var updated: Int
  /// How many rows were equal already and have not been written.
  public private(set) var unchanged: Int
  /// How many partial models had no row to update.
  public private(set) var missing: Int

  /// Makes a report.
  public init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, missing: Int = 0) {
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.missing = missing
  }

  /// The sums of two reports.
  public static func + (one: SaveReport, other: SaveReport) -> SaveReport {
    SaveReport(
      inserted: one.inserted + other.inserted,
      updated: one.updated + other.updated,
      unchanged: one.unchanged + other.unchanged,
      missing: one.missing + other.missing)
  }

  mutating func count(_ outcome: SaveOutcome) {
    switch outcome {
    case .inserted: inserted += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .missing: missing += 1
    }
  }
}
