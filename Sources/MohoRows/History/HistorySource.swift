package import Foundation

/// The access of a transaction to the history of its store. If the store has no history,
/// all methods throw a ``StoreError`` with the code ``StoreError/Code/noHistory``.
package protocol HistorySource: AnyObject {
  /// Returns the position after all recorded changes.
  func currentHistoryToken() throws -> HistoryToken

  /// Passes the transactions after a token to a closure until it returns false.
  /// Transactions that have changed the same row have the order of their commits. On
  /// PostgreSQL, others have the order of their last changes. Transactions without changes
  /// are omitted.
  ///
  /// - Parameter token: Nil for all transactions that have not been deleted.
  /// - Throws: A ``StoreError`` if the token is not valid; see
  ///   ``StoreReader/fetchHistory(since:excludingAuthors:limit:)``. The errors of the
  ///   closure.
  func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryTransaction) throws -> Bool
  ) throws

  /// Passes the changes of the rows of an entity after a token to a closure, in
  /// their order. A transaction has one change for each row from its insertion to
  /// its deletion.
  ///
  /// - Throws: The errors of ``forEachTransaction(since:excludingAuthors:_:)``.
  func forEachRowChange(
    of entity: String, since token: HistoryToken?, excludingAuthors authors: Set<String>,
    _ body: (HistoryRowChange) throws -> Void
  ) throws

  /// Deletes the transactions before a date, or up to a token, which remains valid.
  ///
  /// - Throws: A ``StoreError`` if the token is not valid.
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
