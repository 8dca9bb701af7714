import GRDB

extension ModelStore {
  /// Runs a closure that reads one state of the store, and returns once
  /// subscribers have been told of all commits that the state has; not of those
  /// of other processes.
  ///
  /// Inside ``write(_:)``, and where subscribers are told of a commit, it reads
  /// what that transaction has written:
  /// ``StoreReader/unsettledRows(in:)`` says which rows.
  ///
  /// - Throws: What the closure throws, and ``StoreError``.
  package func readSettled<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try withStoreErrors(on: path, schema) {
      let found: Result? = try writer.unsafeReentrantRead { database in
        let isWriter = WriteRecorder.known(of: database) != nil
        // The transaction that the caller is in may have an older state.
        if !isWriter && database.isInsideTransaction { return nil }
        let result = try settled(database, body)
        if !isWriter { commitFeed.progress.wait() }
        return result
      }
      if let found { return found }
      return try writer.unsafeReentrantWrite { try settled($0, body) }
    }
  }

  private func settled<Result>(
    _ database: Database, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try isolated(database) {
      try StoreSession.run(on: database, schema) { try body(StoreReader(session: $0)) }
    }
  }
}

extension StoreReader {
  /// The identities of rows of a table that have been written and of which
  /// subscribers may not have been told.
  package func unsettledRows(in table: String) throws -> Set<Int64> {
    let rows = try WriteRecorder.known(of: session.database)?.unsettled[table]?.before.keys
    return rows.map(Set.init) ?? []
  }
}
