import Dispatch
import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// A PostgreSQL database that stores the rows of a store.
final class PostgresEngine: StoreEngine {
  let address: PostgresAddress
  let schema: Schema
  let configuration: PostgresConfiguration
  /// The schema that contains the tables of the store.
  let schemaName: String
  /// The only connection that writes.
  let writer: PostgresPool
  let readers: PostgresPool
  let transactions = CurrentTransactions()
  let commitFeed: PostgresCommitFeed
  /// Deletes old changes of the history, or nil if they have no maximum age.
  let historyTrimmer: HistoryTrimmer?
  let instruments: StoreInstruments
  private let writing = DispatchQueue(label: "moho.postgres.writing")
  private let reading = OperationQueue()
  /// A new observer can wait for tables that others have locked.
  private let observing = OperationQueue()

  var path: String? { nil }
  var textTokenizer: (any TextTokenizer)? { WordTokenizer.shared }

  /// Connects to the database, and creates or migrates the tables of the schema.
  init(
    _ url: String, schema: Schema, _ configuration: PostgresConfiguration,
    _ instruments: StoreInstruments = PostgresEngine.newInstruments
  ) throws {
    self.instruments = instruments
    address = try PostgresAddress(url)
    self.schema = schema
    self.configuration = configuration
    let connection = try Self.open(address, configuration)
    do {
      try PostgresMigrator(schema, configuration).prepare(connection)
    } catch var error as StoreError {
      connection.rollBack()
      error.explainAccess(connection)
      error.subject = error.subject ?? address.description
      throw error
    }
    connection.schema = schema
    connection.onStatement = configuration.onStatement
    connection.log = configuration.log
    schemaName = connection.schemaName
    historyTrimmer = configuration.history.maximumAge.map {
      HistoryTrimmer(maximumAge: $0, schemaName: connection.schemaName)
    }
    let collations = ServerCollations(
      address, in: schemaName, createsCollations: !configuration.isReadOnly)
    connection.collations = collations
    writer = PostgresPool(
      address, configuration, size: 1, [connection], schema: schema, collations: collations)
    readers = PostgresPool(
      address, configuration, size: configuration.maximumReaderCount, schema: schema,
      collations: collations)
    reading.maxConcurrentOperationCount = max(1, configuration.maximumReaderCount)
    observing.maxConcurrentOperationCount = 32
    commitFeed = PostgresCommitFeed(
      schema, try PostgresLogSchema(schema, schemaName: schemaName),
      lockTimeout: configuration.lockTimeout, instruments: instruments
    ) { [address] in
      let connection = try PostgresConnection(address)
      connection.schema = schema
      connection.onStatement = configuration.onStatement
      connection.collations = collations
      return connection
    }
  }

  static var newInstruments: StoreInstruments { StoreInstruments(system: "postgresql") }

  var isInTransaction: Bool { transactions.current != nil || commitFeed.isInObserver }

  func close() {
    commitFeed.end()
    for pool in [writer, readers] { pool.close() }
  }

  /// Connects. Waits only if the server is starting.
  private static func open(
    _ address: PostgresAddress, _ configuration: PostgresConfiguration
  ) throws -> PostgresConnection {
    var backoff = Backoff(timeout: configuration.reconnectTimeout)
    while true {
      do {
        return try PostgresConnection(address, settings: configuration.sessionSettings)
      } catch let error as StoreError where error.isServerStarting {
        guard backoff.wait() else { throw error }
      }
    }
  }

  func perform<Result: Sendable>(
    _ access: StoreAccess, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    let cancellation = PostgresCancellation()
    return try await withoutActuallyEscaping(body) { body in
      let work = UncalledClosure(body)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let run: @Sendable () -> Void = { [transactions] in
            continuation.resume(
              with: Swift.Result {
                try transactions.run(cancellation) {
                  defer { work.release() }
                  try cancellation.check()
                  return try work.call()
                }
              })
          }
          switch access {
          case .reading: reading.addOperation(run)
          case .writing: writing.async(execute: run)
          case .observing: observing.addOperation(run)
          }
        }
      } onCancel: {
        cancellation.cancel()
        // Off the thread of the caller, because the interruption waits for the
        // server.
        DispatchQueue.global().async { cancellation.interrupt() }
      }
    }
  }

  func observe<Observer: AnyObject & Sendable>(
    _ initial: (StoreReader) throws -> Observer,
    onCommit:
      @escaping @Sendable (Observer, Result<CommittedChanges, any Error>, StoreReader) -> Void
  ) throws -> (Observer, CommitSubscription) {
    if transactions.current?.isWriting ?? false {
      throw StoreError.uncommittedTransaction
    }
    do {
      return try transactions.hidingTransactions {
        try commitFeed.subscribe(transactions.cancellation, initial, onCommit)
      }
    } catch var error as StoreError where error.code == .accessDenied {
      if let connection = try? PostgresConnection(address) { error.explainAccess(connection) }
      throw error
    }
  }

  /// Runs a closure on a connection, and interrupts it if the task of the caller
  /// is canceled.
  func cancelable<Result>(
    _ connection: PostgresConnection, _ body: () throws -> Result
  ) throws -> Result {
    guard let cancellation = transactions.cancellation else { return try body() }
    try cancellation.attach(connection)
    let result = Swift.Result { try body() }
    // The body may have caught the error of an interrupted statement.
    try cancellation.detach()
    return try result.get()
  }
}

/// A closure that is released when it has been called, although the queue that
/// calls it may release its work later.
private final class UncalledClosure<Result>: Sendable {
  private let body: Lock<(@Sendable () throws -> Result)?>

  init(_ body: @escaping @Sendable () throws -> Result) { self.body = Lock(body) }

  func call() throws -> Result {
    guard let body = body.withLock({ $0 }) else { throw CancellationError() }
    return try body()
  }

  func release() { body.withLock { $0 = nil } }
}
