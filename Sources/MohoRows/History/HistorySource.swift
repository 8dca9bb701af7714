package import Foundation

/// The access of a transaction to the history of its store.
package protocol HistorySource: AnyObject {
  /// Returns the position after all recorded changes.
  ///
  /// - Throws: A ``StoreError`` if the store has no history.
  func currentHistoryToken() throws -> HistoryToken

  /// Passes the transactions after a token to a closure, until it returns false.
  ///
  /// - Parameter token: Nil for all transactions that have not been deleted.
  /// - Throws: A ``StoreError`` if the store has no history or the token is not
  ///   valid, and the errors of the closure.
  func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws

  /// Deletes the oldest transactions.
  ///
  /// - Throws: A ``StoreError`` if the store has no history or the token is not
  ///   valid.
  func deleteHistory(before end: HistoryEnd) throws
}

/// The end of the transactions to delete.
package enum HistoryEnd {
  case date(Date)
  case token(HistoryToken)
}
