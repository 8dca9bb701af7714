import Foundation
import MohoRows

extension PostgresEngine {
  /// Runs a closure in a transaction. If the transaction conflicts with other
  /// ones, it is rolled back, and the closure runs again.
  func write<Result>(
    author: String?, _ body: (StoreWriter) throws -> Result
  ) throws -> Result {
    let current = transactions.current
    if let current, current.isWriting {
      return try current.connection.withSavepoint {
        try current.connection.withAuthor(author) {
          try PostgresSession.run(on: current.connection, schema, isWriting: true) {
            try body(StoreWriter(session: $0))
          }
        }
      }
    }
    if commitFeed.isInObserver { throw StoreError.writeInObserver }
    guard !configuration.isReadOnly else {
      throw StoreError(
        .readOnly, reason: "the store was opened for reading only",
        suggestion: "set `isReadOnly` of the configuration to false")
    }
    let log = try TransactionLog(schema)
    let result = try retryingConflicts { conflict in
      try writer.withConnection(begin: { try begin($0, log, author) }) { connection in
        defer { conflict = connection.conflict }
        return try transaction(on: connection, body)
      }
    }
    if current == nil {
      try? historyTrimmer?.run { body in try writer.withConnection(begin: { _ in }, body) }
      commitFeed.settle(transactions.cancellation)
    }
    return result
  }

  /// - Parameter log: The log of the transaction, if rules need it.
  private func begin(
    _ connection: PostgresConnection, _ log: TransactionLog?, _ author: String?
  ) throws {
    try log?.prepare(connection)
    connection.author = author
    connection.begin(
      ["BEGIN ISOLATION LEVEL \(configuration.isolation.name), READ WRITE"]
        + (log?.beginning(on: connection) ?? [])
        + (author.map { [PostgresConnection.setting(author: $0)] } ?? []))
  }

  private func transaction<Result>(
    on connection: PostgresConnection, _ body: (StoreWriter) throws -> Result
  ) throws -> Result {
    connection.forgetErrors()
    let result = try cancelable(connection) {
      let result = try transactions.run(
        PostgresTransaction(connection: connection, isWriting: true)
      ) {
        try PostgresSession.run(on: connection, schema, isWriting: true) {
          let result = try body(StoreWriter(session: $0))
          if !connection.isAborted { try StoreWriter(session: $0).checkRules() }
          return result
        }
      }
      // The closure may have caught the error that has aborted the transaction.
      // A commit would be a rollback.
      if connection.isAborted, let error = connection.abortingError { throw error }
      return result
    }
    try connection.commit()
    return result
  }

  /// Runs a closure again while it throws and its transaction has conflicted
  /// with other ones.
  ///
  /// - Parameter body: Sets the error of the conflict. The closure may have
  ///   replaced it by an error of its own.
  func retryingConflicts<Result>(
    _ body: (_ conflict: inout StoreError?) throws -> Result
  ) throws -> Result {
    var pause = 0.005
    var retryCount = 0
    while true {
      var conflict: StoreError?
      do {
        return try body(&conflict)
      } catch {
        guard var conflict, !(error is CancellationError) else { throw error }
        guard retryCount < configuration.maximumRetryCount else {
          if retryCount > 0 { conflict.reason += ", also after \(retryCount) retries" }
          throw conflict
        }
        retryCount += 1
        try transactions.cancellation?.check()
        Thread.sleep(forTimeInterval: .random(in: 0...pause))
        pause = min(pause * 2, 0.5)
      }
    }
  }
}
