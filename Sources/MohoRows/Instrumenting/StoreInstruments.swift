/// Reports the work of a store to metrics, if the package trait `Metrics` is enabled, and to
/// traces, if the trait `Tracing` is enabled. Without these traits, it is empty and does nothing.
///
/// Created when the store is opened, by the task that opens it. It reports to the systems that
/// the program has set up until then.
package struct StoreInstruments: Sendable {
  #if Metrics
    let metrics: StoreMetrics
  #endif
  #if Tracing
    let tracing: StoreTracing
  #endif

  /// - Parameter system: The name of the database in the semantic conventions of
  ///   OpenTelemetry.
  package init(system: String) {
    #if Metrics
      metrics = StoreMetrics(system: system)
    #endif
    #if Tracing
      tracing = StoreTracing(system: system)
    #endif
  }

  /// A point in time, if instruments are compiled.
  package struct Moment: Sendable {
    #if Metrics || Tracing
      private let instant = ContinuousClock.now

      var elapsed: Duration { ContinuousClock.now - instant }
    #endif

    package init() {}
  }

  /// Runs a closure in which observers receive a commit, or the error of reading it.
  ///
  /// - Parameter start: When the store could first know the commit.
  package func following<Value>(
    _ commit: Result<CommittedChanges, any Error>, since start: Moment = Moment(),
    _ body: () throws -> Value
  ) rethrows -> Value {
    #if Metrics || Tracing
      if case .failure(let error) = commit, StoreError.isEnd(error) { return try body() }
      #if Tracing
        let span = tracing.start(.follow)
        defer { tracing.end(span, commit) }
      #endif
      #if Metrics
        defer { metrics.record(commit, lag: start.elapsed) }
      #endif
    #endif
    return try body()
  }
}

/// The operations that instruments report. Their raw values are names of spans.
enum StoreOperation: String, Sendable {
  case read
  case write
  /// Observers receive a commit.
  case follow

  /// The access to the engine that the operation needs.
  var access: StoreAccess {
    switch self {
    case .read: .reading
    case .write: .writing
    case .follow: .observing
    }
  }
}
