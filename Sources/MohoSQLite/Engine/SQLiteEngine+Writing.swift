import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

extension SQLiteEngine {
  func write<Result>(
    author: String?, _ body: (StoreWriter) throws -> Result
  ) throws -> Result {
    try withStoreErrors(on: path, schema) {
      try writer.unsafeReentrantWrite { database in
        // The write would be part of the transaction in which observers read.
        guard WriteRecorder.existing(of: database)?.callingFeed == nil else {
          throw StoreError.writeInObserver
        }
        var result: Result?
        try statements.checkTemporaryTables(of: database)
        let rules = try ruleCheck(on: database)
        let isNested = database.isInsideTransaction
        func perform(_ session: SQLiteSession) throws -> Result {
          try rules.checking(StoreWriter(session: session), body)
        }
        func run() throws -> Database.TransactionCompletion {
          try RunningWrite.run(on: database) {
            try SQLiteSession.unchecked(on: database, statements) { session in
              result =
                try history?.recording(by: author, database) { try perform(session) }
                ?? perform(session)
              try statements.checkTemporaryTables(of: database)
              if !isNested { try session.checkReferences() }
            }
          }
          return .commit
        }
        if isNested {
          // GRDB reports the rows of its own savepoints only after they have ended.
          if rules.needsReports {
            _ = try withSavepoint(database) { _ in try run() }
          } else {
            try database.inSavepoint(run)
          }
        } else {
          try checkFile(database)
          WriteRecorder.existing(of: database)?.discardAbandonedRows()
          try database.inTransaction(.immediate) {
            try checkLog(database)
            try schemaCheck?.prepared(on: database).run()
            return try run()
          }
          TemporaryTables.commit(database)
        }
        guard let result else {
          throw StoreError(.database, reason: "the transaction did not run")
        }
        return result
      }
    }
  }

  /// Begins to record the rows that rules may read.
  private func ruleCheck(on database: Database) throws -> RuleCheck {
    guard schema.compiled.hasRulesOverRelations else { return RuleCheck(of: self, in: database) }
    let recorder = WriteRecorder.recorder(of: database, hook: hook)
    try recorder.record(schema.rulesOverRelations.tables, for: self, in: database)
    return RuleCheck(of: self, recorder, in: database)
  }

  /// Throws an error if the file is no longer at its path. Changes would be
  /// lost when the last connection to the file is closed.
  private func checkFile(_ database: Database) throws {
    // If the connection is closed, the next statement throws.
    guard path != nil, let connection = database.sqliteConnection else { return }
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError(
        .replaced, subject: path, reason: "it was moved or deleted while the store was open",
        suggestion: "open the store again")
    }
  }

  /// Throws an error if the log is no longer at its path. Changes would be lost when the
  /// process ends, or damage the file.
  private func checkLog(_ database: Database) throws {
    guard let log, let connection = database.sqliteConnection else { return }
    try log.check(connection, ofStore: path)
  }
}
