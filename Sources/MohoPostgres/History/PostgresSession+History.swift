import MohoRows

extension PostgresSession {
  func currentHistoryToken() throws -> HistoryToken { throw Self.noHistory }

  func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws { throw Self.noHistory }

  func forEachRowChange(
    of entity: String, since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws { throw Self.noHistory }

  func deleteHistory(before end: HistoryEnd) throws { throw Self.noHistory }

  private static var noHistory: StoreError {
    StoreError(.noHistory, reason: "stores on PostgreSQL do not record their history")
  }
}
