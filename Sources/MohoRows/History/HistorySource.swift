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

  /// Passes the changes of the rows of an entity after a token to a closure, in
  /// their order. A transaction has one change for each row from its insertion to
  /// its deletion.
  ///
  /// - Throws: A ``StoreError`` if the store has no history or the token is not
  ///   valid, and the errors of the closure.
  func forEachRowChange(
    of entity: String, since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws

  /// Deletes the oldest transactions.
  ///
  /// - Throws: A ``StoreError`` if the store has no history or the token is not
  ///   valid.
  func deleteHistory(before end: HistoryEnd) throws
}

/// The change of the row with an identity. Unlike a ``HistoryChange``, it does not
/// contain the row's unique key, and is not merged with the changes of other rows
/// that had this key.
package struct HistoryRowChange {
  package let row: Int64
  package let kind: HistoryChange.Kind
  /// The keys that an update has changed.
  package let keys: Set<String>

  package init(row: Int64, kind: HistoryChange.Kind, keys: Set<String>) {
    self.row = row
    self.kind = kind
    self.keys = keys
  }
}

/// The end of the transactions to delete.
package enum HistoryEnd {
  case date(Date)
  case token(HistoryToken)
}
