#if Metrics || Tracing
  import Foundation
  import MohoMapping
  import Synchronization

  #if Tracing
    import Tracing
  #endif

  /// A transaction of a store that is running, and what it has done.
  final class StoreActivity: Sendable {
    /// Tasks that a closure creates inherit the value, but run on other threads.
    @TaskLocal private static var running: StoreActivity?

    private struct State {
      var thread: ThreadID?
      var work = StoreWork()
    }

    private let operation: StoreOperation
    private let engine: ObjectIdentifier
    private let instruments: StoreInstruments
    /// The transaction of another store whose closure contains this one.
    private let outer: StoreActivity?
    private let start = StoreInstruments.Moment()
    private let state = Lock(State())
    #if Tracing
      private let span: any Span
    #endif

    init(_ operation: StoreOperation, of engine: any StoreEngine) {
      self.operation = operation
      self.engine = ObjectIdentifier(engine)
      instruments = engine.instruments
      outer = StoreActivity.current
      #if Tracing
        span = instruments.tracing.start(operation)
      #endif
    }

    /// The innermost transaction that runs on the calling thread.
    static var current: StoreActivity? {
      guard let running, running.state.withLock({ $0.thread }) == ThreadID() else { return nil }
      return running
    }

    /// The transaction of an engine that runs on the calling thread.
    static func current(of engine: any StoreEngine) -> StoreActivity? {
      var activity = current
      while let other = activity, other.engine != ObjectIdentifier(engine) {
        activity = other.outer
      }
      return activity
    }

    /// Runs the transaction, on the thread of the engine. Spans that begin in it are children of
    /// its span.
    func run<Result>(_ transaction: () throws -> Result) rethrows -> Result {
      state.withLock { $0.thread = ThreadID() }
      defer { state.withLock { $0.thread = nil } }
      #if Tracing
        return try ServiceContext.$current.withValue(span.context) {
          try Self.$running.withValue(self, operation: transaction)
        }
      #else
        return try Self.$running.withValue(self, operation: transaction)
      #endif
    }

    /// Runs a nested call of the same store.
    func runNested<Result>(
      _ operation: StoreOperation, _ transaction: () throws -> Result
    ) throws -> Result {
      let rows = rows
      do {
        return try Self.$running.withValue(self, operation: transaction)
      } catch {
        // The savepoint of the nested call has undone its rows.
        if operation == .write { self.rows = rows }
        throw error
      }
    }

    /// Records that the closure of the transaction begins, for the first time or again.
    func beginAttempt() { state.withLock { $0.work.beginAttempt(after: start.elapsed) } }

    /// The rows that the transaction has written.
    var rows: SaveReport {
      get { state.withLock { $0.work.rows } }
      set { state.withLock { $0.work.rows = newValue } }
    }

    /// Changes what the transaction has done.
    func note(_ change: (inout StoreWork) -> Void) { state.withLock { change(&$0.work) } }

    /// Reports the end of the transaction.
    ///
    /// - Parameter result: A failure has rolled it back.
    func end<Value>(_ result: Result<Value, any Error>) {
      let error: (any Error)? = if case .failure(let error) = result { error } else { nil }
      let (work, type) = (state.withLock { $0.work }, error.flatMap(errorType))
      #if Metrics
        instruments.metrics.record(
          operation, work, duration: start.elapsed, isCommitted: error == nil, errorType: type)
      #endif
      #if Tracing
        instruments.tracing.end(span, operation, work, isCommitted: error == nil, errorType: type)
      #endif
    }
  }

  /// What a transaction has done, since it has begun for the last time.
  struct StoreWork: Sendable {
    /// The number of times that the closure was called.
    private(set) var attempts = 0
    /// The time from the call until the closure began for the first time: for a connection, and
    /// for other transactions.
    private(set) var wait = Duration.zero
    /// The rows that were written by models, contexts and plans.
    fileprivate(set) var rows = SaveReport()
    /// The entities of the requests, and of the models that were saved.
    private(set) var entities: Set<String> = []

    var retries: Int { max(0, attempts - 1) }

    mutating func beginAttempt(after wait: Duration) {
      if attempts == 0 { self.wait = wait }
      attempts += 1
      (rows, entities) = (SaveReport(), [])
    }

    mutating func add(_ report: SaveReport, of entity: String?) {
      rows = rows + report
      if let entity { entities.insert(entity) }
    }

    mutating func add(_ entity: String) { entities.insert(entity) }
  }

  /// A thread, for comparing only.
  // `@unchecked`: on some platforms, the value is a pointer, which is not used.
  private struct ThreadID: Equatable, @unchecked Sendable {
    private let value = pthread_self()
  }

  /// The kind of an error, without data of users. Nil if the store itself rolls back.
  func errorType(_ error: any Error) -> String? {
    switch error {
    case is Rollback: nil
    case let error as StoreError: error.code.description
    default: String(describing: type(of: error))
    }
  }
#endif
