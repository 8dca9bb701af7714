extension ModelStore {
  /// Runs a closure that changes the store in one transaction, which the history
  /// records with an author. See `write(_:)`.
  ///
  /// ```swift
  /// try store.write(author: "sync") { try $0.save(episodes) }
  /// ```
  ///
  /// A nested call with another author is a transaction of its own in the
  /// history. A nested call without an author has the author of the outer call.
  ///
  /// - Throws: The errors of `write(_:)`.
  @discardableResult
  public func write<Result>(
    author: String?, _ body: (StoreWriter) throws -> Result
  ) throws -> Result {
    try perform(.write) { report in
      try engine.write(author: author) { writer in
        report.beginAttempt()
        return try body(writer)
      }
    }
  }

  /// Runs a closure that changes the store in one transaction, which the history
  /// records with an author, without blocking the calling thread.
  ///
  /// - Throws: The errors of `write(_:)`.
  @discardableResult
  public func write<Result: Sendable>(
    author: String?, _ body: @Sendable (StoreWriter) throws -> Result
  ) async throws -> Result {
    try await perform(.write) { [engine] report in
      try engine.write(author: author) { writer in
        report.beginAttempt()
        return try body(writer)
      }
    }
  }

  /// Returns the current position in the history of the store.
  ///
  /// - Throws: The errors of ``StoreReader/currentHistoryToken()``.
  public func currentHistoryToken() throws -> HistoryToken {
    try read { try $0.currentHistoryToken() }
  }

  /// Returns the current position in the history of the store, without blocking
  /// the calling thread.
  ///
  /// - Throws: The errors of ``StoreReader/currentHistoryToken()``.
  public func currentHistoryToken() async throws -> HistoryToken {
    try await read { try $0.currentHistoryToken() }
  }

  /// Returns the transactions after a token, in the order of the history.
  ///
  /// - Throws: The errors of
  ///   ``StoreReader/fetchHistory(since:excludingAuthors:limit:)``.
  public func fetchHistory(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = [], limit: Int? = nil
  ) throws -> [HistoryTransaction] {
    try read { try $0.fetchHistory(since: token, excludingAuthors: authors, limit: limit) }
  }

  /// Returns the transactions after a token, in the order of the history, without
  /// blocking the calling thread.
  ///
  /// - Throws: The errors of
  ///   ``StoreReader/fetchHistory(since:excludingAuthors:limit:)``.
  public func fetchHistory(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = [], limit: Int? = nil
  ) async throws -> [HistoryTransaction] {
    try await read { try $0.fetchHistory(since: token, excludingAuthors: authors, limit: limit) }
  }

  /// Returns the net changes since a token.
  ///
  /// - Throws: The errors of ``StoreReader/fetchChanges(since:excludingAuthors:)``.
  public func fetchChanges(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = []
  ) throws -> HistoryChanges {
    try read { try $0.fetchChanges(since: token, excludingAuthors: authors) }
  }

  /// Returns the net changes since a token, without blocking the calling thread.
  ///
  /// - Throws: The errors of ``StoreReader/fetchChanges(since:excludingAuthors:)``.
  public func fetchChanges(
    since token: HistoryToken?, excludingAuthors authors: Set<String> = []
  ) async throws -> HistoryChanges {
    try await read { try $0.fetchChanges(since: token, excludingAuthors: authors) }
  }
}
