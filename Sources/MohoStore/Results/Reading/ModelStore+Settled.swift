import GRDB

extension ModelStore {
  /// Runs a closure that reads one state of the store, and returns once
  /// subscribers have been told of all commits that the state has; not of those
  /// of other processes.
  ///
  /// Inside ``write(_:)``, and where subscribers are told of a commit, it reads
  /// what that transaction has written:
  /// ``StoreReader/unsettledRows(among:in:)`` says which rows.
  ///
  /// - Parameter isOneStatement: Whether the closure runs one statement, which
  ///   reads one state by itself.
  /// - Throws: What the closure throws, and ``StoreError``.
  package func readSettled<Result>(
    inOneStatement isOneStatement: Bool = false, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try withStoreErrors(on: path, schema) {
      let found: Result? = try writer.unsafeReentrantRead { database in
        let recorder = WriteRecorder.known(of: database)
        // Before the reading begins a transaction, which hides that SQLite has
        // rolled back the one before.
        recorder?.discardAbandonedRows()
        let isWriter = recorder != nil
        // The transaction that the caller is in may have an older state.
        if !isWriter && database.isInsideTransaction { return nil }
        let result =
          isOneStatement && !isWriter
          ? try read(database, body) : try isolated(database) { try read(database, body) }
        if !isWriter { commitFeed.waitForCommits() }
        return result
      }
      if let found { return found }
      return try writer.unsafeReentrantWrite { database in
        WriteRecorder.known(of: database)?.discardAbandonedRows()
        return try isolated(database) { try read(database, body) }
      }
    }
  }

  /// Runs a closure that reads one committed state of the store, whatever is being
  /// written, and returns once subscribers have been told of all commits that
  /// the state has; not of those of other processes.
  ///
  /// - Returns: Nil, without running it, where the caller is in a transaction or
  ///   there is no other connection than the writer's.
  /// - Throws: What the closure throws, and ``StoreError``.
  package func readBesideWriters<Result>(
    _ body: (StoreReader) throws -> Result
  ) throws -> Result? {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantRead { database -> Result? in
        if WriteRecorder.known(of: database) != nil || database.isInsideTransaction { return nil }
        let result = try isolated(database) { try read(database, body) }
        commitFeed.waitForCommits()
        return result
      }
    }
  }

  private func read<Result>(
    _ database: Database, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try StoreSession.run(on: database, schema) { try body(StoreReader(session: $0)) }
  }
}

extension StoreReader {
  /// Those of some rows of a table that have been written and of which
  /// subscribers may not have been told.
  package func unsettledRows(among rowIDs: [Int64], in table: String) throws -> Set<Int64> {
    guard let written = try unsettled(table) else { return [] }
    return Set(rowIDs.filter(written.contains))
  }

  /// Whether rows of a table have been written of which subscribers may not have
  /// been told.
  package func hasUnsettledRows(in table: String) throws -> Bool {
    try unsettled(table).map { !$0.isEmpty } ?? false
  }

  private func unsettled(_ table: String) throws -> RowWriteSet? {
    try WriteRecorder.known(of: session.database)?.unsettled(in: table)
  }
}
