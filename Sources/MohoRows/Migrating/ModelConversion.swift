package import MohoMapping

/// A migration step that converts models and saves the results.
package struct ModelConversion: Sendable {
  package let summary: String
  /// The name of the entity whose models are converted.
  package let oldEntity: String
  /// The name of the entity of the converted models.
  package let newEntity: String
  private let schemas: @Sendable (_ oldTable: String) throws -> (old: Schema, new: Schema)
  private let conversion:
    @Sendable (
      _ reading: any StoreSession, _ writing: any StoreSession, _ progress: (Int) throws -> Void
    ) throws -> Void

  init<Old: MappedModel, New: MappedModel>(_ convert: @escaping @Sendable (Old) throws -> New?) {
    let (old, new) = (Old.mapping.name, New.mapping.name)
    oldEntity = old
    newEntity = new
    summary = "convert the models of `\(old)`" + (old == new ? "" : " to `\(new)`")
    schemas = { table in
      (try Schema([Old.self]).redirecting(old, to: table), try Schema([New.self]))
    }
    conversion = { reading, writing, progress in
      var count = 0
      let request = ModelRequest<Old>().batchSize(500)
      try StoreReader(session: reading).forEachBatch(of: request) { models in
        try StoreWriter(session: writing).save(models.compactMap(convert))
        count += models.count
        try progress(count)
      }
    }
  }

  /// Returns the schema of the old models, which reads them from a table, and
  /// the schema of the new models.
  package func schemas(readingFrom table: String) throws -> (old: Schema, new: Schema) {
    try schemas(table)
  }

  /// Converts all models.
  ///
  /// - Parameters:
  ///   - reading: A session with the schema of the old models.
  ///   - writing: A session with the schema of the new models.
  ///   - progress: A closure that receives the number of converted models.
  package func convert(
    reading: any StoreSession, writing: any StoreSession, progress: (Int) throws -> Void
  ) throws {
    try conversion(reading, writing, progress)
  }
}

/// A migration step that transforms the values of a column.
package struct ColumnTransform: Sendable {
  package let entity: String
  package let key: String
  package let newKey: String
  package let transform: @Sendable (FieldContent) throws -> FieldContent

  package var summary: String {
    "transform the values of `\(entity).\(key)`" + (newKey == key ? "" : " into `\(newKey)`")
  }
}
