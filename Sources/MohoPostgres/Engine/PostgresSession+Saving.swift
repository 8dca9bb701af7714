import MohoMapping
import MohoRows

extension PostgresSession {
  func save<Model: MappedModel>(
    _ models: some Sequence<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport { throw StoreError(.database, reason: "not written yet") }

  func save<Model: MappedModel>(_ model: Model) throws -> SaveReport {
    throw StoreError(.database, reason: "not written yet")
  }

  func save<Model: MappedModel>(
    decoding fields: UndecodedModels<Model>, mode: SaveMode<Model>, _ meter: ImportMeter?
  ) throws -> SaveReport { throw StoreError(.database, reason: "not written yet") }

  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    throw StoreError(.database, reason: "not written yet")
  }

  func save<Model: MappedModel>(
    partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport { throw StoreError(.database, reason: "not written yet") }

  func delete<Model: MappedModel>(_ models: some Sequence<Model>) throws -> Int {
    throw StoreError(.database, reason: "not written yet")
  }

  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan {
    throw StoreError(.database, reason: "not written yet")
  }

  func apply(_ plan: SavePlan) throws -> SaveReport {
    throw StoreError(.database, reason: "not written yet")
  }
}
