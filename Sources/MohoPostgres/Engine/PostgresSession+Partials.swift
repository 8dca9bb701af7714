import MohoMapping
import MohoRows

extension PostgresSession {
  func update<Model: MappedModel>(_ partials: some Sequence<Partial<Model>>) throws -> SaveReport {
    throw StoreError(.database, reason: "not written yet")
  }

  func save<Model: MappedModel>(
    partials: some Sequence<Partial<Model>>
  ) throws -> SaveReport { throw StoreError(.database, reason: "not written yet") }

  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan {
    throw StoreError(.database, reason: "not written yet")
  }

  func apply(_ plan: SavePlan) throws -> SaveReport {
    throw StoreError(.database, reason: "not written yet")
  }

  func models<Model: MappedModel>(of model: Model.Type, rowIDs: [Int64]) throws -> [Model] {
    throw StoreError(.database, reason: "not written yet")
  }
}
