import GRDB
import MohoRows

extension SQLiteEngine {
  func read<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantRead { database in
        try isolated(database) { try read(on: database, body) }
      }
    }
  }

  /// Inside ``write(author:_:)``, and while observers receive a commit, the closure
  /// reads the state of the connection that writes.
  /// ``SQLiteSession/unreportedRows(in:)`` returns the rows that it has
  /// written.
  func readSettled<Result>(
    inOneStatement isOneStatement: Bool, _ body: (StoreReader) throws -> Result
  ) throws -> Result {
    try withStoreErrors(on: path, schema) {
      let found: Result? = try writer.unsafeReentrantRead { database in
        let recorder = WriteRecorder.existing(of: database)
        // Do this before the read transaction begins. After that, a rollback of
        // the previous transaction by SQLite can no longer be detected.
        recorder?.discardAbandonedRows()
        let isWriter = recorder != nil
        // The caller's transaction may read an older state.
        if !isWriter && database.isInsideTransaction { return nil }
        let result =
          isOneStatement && !isWriter
          ? try read(on: database, body) : try isolated(database) { try read(on: database, body) }
        if !isWriter { commitFeed.waitForCommits() }
        return result
      }
      if let found { return found }
      return try writer.unsafeReentrantWrite { database in
        WriteRecorder.existing(of: database)?.discardAbandonedRows()
        return try isolated(database) { try read(on: database, body) }
      }
    }
  }

  func readConcurrently<Result>(_ body: (StoreReader) throws -> Result) throws -> Result? {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantRead { database -> Result? in
        if WriteRecorder.existing(of: database) != nil || database.isInsideTransaction {
          return nil
        }
        let result = try isolated(database) { try read(on: database, body) }
        commitFeed.waitForCommits()
        return result
      }
    }
  }

  func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    try withStoreErrors(on: path) { try commitFeed.subscribe(initial, onCommit) }
  }
}
