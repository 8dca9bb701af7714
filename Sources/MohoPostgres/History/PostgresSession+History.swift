import MohoRows

extension PostgresSession {
  private var history: PostgresHistoryReader {
    get throws { try PostgresHistoryReader(connection, schema) }
  }

  func currentHistoryToken() throws -> HistoryToken { try history.currentToken() }

  func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws { try history.forEach(since: token, excluding: authors, body) }

  func forEachRowChange(
    of entity: String, since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws { try history.forEachRow(of: entity, since: token, excluding: authors, body) }

  func deleteHistory(before end: HistoryEnd) throws { try history.delete(before: end) }
}
