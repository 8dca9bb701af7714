#if Metrics
  import Metrics

  /// The metrics of a store. Their names follow the semantic conventions of OpenTelemetry for
  /// clients of databases where these have one.
  struct StoreMetrics: Sendable {
    /// The metrics of the transactions that read, or of those that write.
    private struct Transactions: Sendable {
      let count: Counter
      let duration: Timer
      let wait: Timer
      let retries: Counter
    }

    private let factory: any MetricsFactory
    private let system: (String, String)
    private let reading: Transactions
    private let writing: Transactions
    private let inserted: Counter
    private let updated: Counter
    private let deleted: Counter
    private let followedCommits: Counter
    private let followedRows: Counter
    private let lag: Timer

    init(system: String) {
      let factory = MetricsSystem.factory
      let system = ("db.system.name", system)
      self.factory = factory
      self.system = system
      func counter(_ label: String, _ dimensions: [(String, String)] = []) -> Counter {
        Counter(label: label, dimensions: [system] + dimensions, factory: factory)
      }
      func timer(_ label: String, _ dimensions: [(String, String)] = []) -> Timer {
        Timer(label: label, dimensions: [system] + dimensions, factory: factory)
      }
      func transactions(_ operation: StoreOperation, pool: String) -> Transactions {
        let operation = [("db.operation.name", operation.rawValue)]
        return Transactions(
          count: counter("moho.store.transactions", operation),
          duration: timer("db.client.operation.duration", operation),
          wait: timer(
            "db.client.connection.wait_time", [("db.client.connection.pool.name", pool)]),
          retries: counter("moho.store.retries", operation))
      }
      reading = transactions(.read, pool: "readers")
      writing = transactions(.write, pool: "writer")
      inserted = counter("moho.store.written_rows", [("moho.change", "insert")])
      updated = counter("moho.store.written_rows", [("moho.change", "update")])
      deleted = counter("moho.store.written_rows", [("moho.change", "delete")])
      followedCommits = counter("moho.store.followed_commits")
      followedRows = counter("moho.store.followed_rows")
      lag = timer("moho.store.commit_lag")
    }

    /// Records the end of a transaction.
    func record(
      _ operation: StoreOperation, _ work: StoreWork, duration: Duration, isCommitted: Bool,
      errorType: String?
    ) {
      let metrics = operation == .write ? writing : reading
      if let errorType {
        let dimensions = [
          system, ("db.operation.name", operation.rawValue), ("error.type", errorType),
        ]
        Counter(label: metrics.count.label, dimensions: dimensions, factory: factory).increment()
        Timer(label: metrics.duration.label, dimensions: dimensions, factory: factory)
          .record(duration: duration)
      } else {
        metrics.count.increment()
        metrics.duration.record(duration: duration)
      }
      if work.attempts > 0 { metrics.wait.record(duration: work.wait) }
      if work.retries > 0 { metrics.retries.increment(by: work.retries) }
      guard isCommitted else { return }
      for (counter, count) in [
        (inserted, work.rows.inserted), (updated, work.rows.updated), (deleted, work.rows.deleted),
      ] where count > 0 { counter.increment(by: count) }
    }

    /// Records a commit that observers have received.
    func record(_ commit: Result<CommittedChanges, any Error>, lag: Duration) {
      switch commit {
      case .success(let changes):
        followedCommits.increment()
        followedRows.increment(by: changes.rowCount)
        self.lag.record(duration: lag)
      case .failure(let error):
        let type = errorType(error) ?? "error"
        Counter(
          label: followedCommits.label, dimensions: [system, ("error.type", type)],
          factory: factory
        ).increment()
      }
    }
  }
#endif
