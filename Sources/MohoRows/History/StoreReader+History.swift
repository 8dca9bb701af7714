public import Foundation
public import MohoMapping

extension StoreReader {
  /// Returns the current position in the history of the store, after all changes
  /// that the reader sees.
  ///
  /// - Throws: A ``StoreError`` with the code ``StoreError/Code/noHistory`` if the
  ///   store does not record its history.
  public func currentHistoryToken() throws -> HistoryToken { try session.currentHistoryToken() }

  /// Returns the transactions after a token, in the order of the history.
  ///
  /// In a file, this is the order of their commits. On PostgreSQL, transactions
  /// that have changed the same row have the order of their commits, and others
  /// have the order of their last changes.
  ///
  /// - Parameters:
  ///   - token: The position to start at, or nil for all recorded transactions.
  ///   - authors: The authors whose transactions are omitted.
  ///   - limit: The maximum number of transactions. To continue, pass the token of
  ///     the last one.
  /// - Throws: A ``StoreError`` with one of these codes:
  ///   - ``StoreError/Code/noHistory``: The store does not record its history.
  ///   - ``StoreError/Code/historyDeleted``: Changes after the token have been
  ///     deleted. Read all rows instead.
  ///   - ``StoreError/Code/foreignHistoryToken``: The token belongs to another
  ///     store, to an earlier history of the store, or to a copy of the file that
  ///     has changed separately.
  public func fetchHistory(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = [], limit: Int? = nil
  ) throws -> [HistoryTransaction] {
    var transactions: [HistoryTransaction] = []
    if let limit, limit <= 0 { return [] }
    try session.forEachTransaction(since: token, excludingAuthors: authors) { transaction in
      transactions.append(transaction)
      return transactions.count != limit
    }
    return transactions
  }

  /// Passes the transactions after a token to a closure, in the order of
  /// ``fetchHistory(since:excludingAuthors:limit:)``. Only one transaction is in
  /// memory at a time.
  ///
  /// - Throws: The errors of ``fetchHistory(since:excludingAuthors:limit:)`` and
  ///   of the closure.
  public func forEachTransaction(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = [],
    _ body: (HistoryTransaction) throws -> Void
  ) throws {
    try session.forEachTransaction(since: token, excludingAuthors: authors) { transaction in
      try body(transaction)
      return true
    }
  }

  /// Returns the net changes since a token. Their token is the current position,
  /// even if transactions are omitted.
  ///
  /// - Parameters:
  ///   - token: The position to start at, or nil for all recorded transactions.
  ///   - authors: The authors whose transactions are omitted.
  /// - Throws: The errors of ``fetchHistory(since:excludingAuthors:limit:)``.
  public func fetchChanges(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = []
  ) throws -> HistoryChanges {
    var changes = HistoryChanges()
    try forEachTransaction(since: token, excludingAuthors: authors) { changes.append($0) }
    return HistoryChanges(changes, upTo: try currentHistoryToken())
  }

  /// Returns the models of rows that were inserted or updated, in the order of the
  /// changes. Rows that have been deleted are omitted.
  ///
  /// ```swift
  /// let changes = try reader.fetchChanges(since: token)
  /// let episodes = try reader.fetch(Episode.self, in: changes.rows)
  /// ```
  ///
  /// - Throws: The errors of ``fetch(_:)``.
  public func fetch<Model: MappedModel>(
    _ model: Model.Type, in changes: some Sequence<HistoryChange>
  ) throws -> [Model] {
    let entity = try schema.entity(of: model)
    let rows = changes.filter { $0.entity == entity.name && $0.kind != .deleted }
      .compactMap(\.row.stored)
    let reader = try session.resultReader(
      of: ResolvedRequest(RowRequest(entity.name), schema), models: model, isSectioned: false)
    var models: [Model] = []
    var rest = rows[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(500))
      rest = rest.dropFirst(500)
      let found = try reader.models(of: model, rowIDs: batch, self)
      let byRow = Dictionary(
        zip(found.rowIDs, found.models), uniquingKeysWith: { one, _ in one })
      models += batch.compactMap { byRow[$0] }
    }
    return models
  }
}

extension StoreWriter {
  /// Deletes the transactions before a date from the history. Rows are not
  /// changed.
  ///
  /// Reading the history since an earlier token throws an error afterwards.
  ///
  /// - Throws: A ``StoreError`` if the store does not record its history.
  public func deleteHistory(before date: Date) throws {
    try session.deleteHistory(before: .date(date))
  }

  /// Deletes the transactions up to a token from the history. Rows are not
  /// changed.
  ///
  /// The token remains valid. Reading the history since an earlier token throws
  /// an error afterwards.
  ///
  /// - Throws: A ``StoreError`` if the store does not record its history, or if
  ///   the token is not valid; see
  ///   ``StoreReader/fetchHistory(since:excludingAuthors:limit:)``.
  public func deleteHistory(before token: HistoryToken) throws {
    try session.deleteHistory(before: .token(token))
  }
}
