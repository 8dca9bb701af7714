import MohoMapping
import MohoRows

extension PostgresSession {
  func models<Model: MappedModel>(
    of request: ModelRequest<Model>
  ) throws -> any ModelCursor<Model> { throw StoreError(.database, reason: "not written yet") }

  func count(_ request: RowRequest) throws -> Int {
    throw StoreError(.database, reason: "not written yet")
  }

  func exists(_ request: RowRequest) throws -> Bool {
    throw StoreError(.database, reason: "not written yet")
  }

  func identities(of request: RowRequest) throws -> [Int64] {
    throw StoreError(.database, reason: "not written yet")
  }

  func values(_ values: [Operand], of request: RowRequest) throws -> [RequestRow] {
    throw StoreError(.database, reason: "not written yet")
  }

  func aggregates(
    _ aggregates: [Aggregate], of request: RowRequest, groupedBy keys: [Operand]
  ) throws -> [RequestRow] { throw StoreError(.database, reason: "not written yet") }

  func explain(_ request: RowRequest) throws -> RequestExplanation {
    throw StoreError(.database, reason: "not written yet")
  }

  func delete(_ request: RowRequest) throws -> Int {
    throw StoreError(.database, reason: "not written yet")
  }
}
