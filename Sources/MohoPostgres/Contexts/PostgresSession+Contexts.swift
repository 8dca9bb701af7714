import MohoMapping
import MohoRows

extension PostgresSession {
  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    throw StoreError(.database, reason: "not written yet")
  }
}
