#if Metrics
  import Dispatch
  import Fixtures
  import Foundation
  import Metrics
  import MetricsTestKit
  import MohoMapping
  import MohoRows
  import StoreTesting
  import Testing

  /// Tests of the metrics that stores report.
  @Suite(.allEngines, .timeLimit(.minutes(20))) struct MetricsTests {
    private let metrics = TestMetrics()
    private let all = ModelRequest<Episode>().order(by: \.id)

    private var system: String {
      TestedEngine.current == .postgres ? "postgresql" : "sqlite"
    }

    private func store(_ models: any MappedModel.Type...) throws -> ModelStore {
      let schema = try Schema([Episode.self] + models)
      return try withMetricsFactory(metrics) { try emptyStore(schema) }
    }

    /// Returns the sums of a counter, by its dimensions.
    private func counts(_ label: String) -> [String: Int64] {
      var counts: [String: Int64] = [:]
      for counter in metrics.counters(label: label) where counter.totalValue != 0 {
        counts[text(counter.dimensions), default: 0] += counter.totalValue
      }
      return counts
    }

    /// Returns the numbers of times that a timer has recorded, by its dimensions.
    private func times(_ label: String) -> [String: Int] {
      var counts: [String: Int] = [:]
      for timer in metrics.timers(label: label) where !timer.values.isEmpty {
        counts[text(timer.dimensions), default: 0] += timer.values.count
      }
      return counts
    }

    /// The dimensions other than that of the database, which all metrics have.
    private func text(_ dimensions: [(String, String)]) -> String {
      #expect(dimensions.first?.0 == "db.system.name")
      #expect(dimensions.first?.1 == system)
      return dimensions.dropFirst().map { "\($0)=\($1)" }.joined(separator: " ")
    }

    @Test func transactionsAreCounted() async throws {
      let store = try store()

      try await store.write { try $0.save(Episode.number(1)) }
      try Self.write(2, to: store)
      _ = try await store.fetch(all)

      let counts = ["db.operation.name=write": 2, "db.operation.name=read": 1]
      #expect(self.counts("moho.store.transactions") == counts.mapValues(Int64.init))
      #expect(times("db.client.operation.duration") == counts)
      #expect(
        times("db.client.connection.wait_time") == [
          "db.client.connection.pool.name=writer": 2,
          "db.client.connection.pool.name=readers": 1,
        ])
      #expect(self.counts("moho.store.retries") == [:])
    }

    private static func write(_ id: Int, to store: ModelStore) throws {
      try store.write { try $0.save(Episode.number(id)) }
    }

    @Test func nestedCallsArePartOfTheTransaction() throws {
      let store = try store()

      try store.write { writer in
        try writer.save(Episode.number(1))
        try store.write { try $0.save(Episode.number(2)) }
        _ = try store.read { try $0.fetchCount(all) }
        _ = try store.fetch(all)
      }

      #expect(counts("moho.store.transactions") == ["db.operation.name=write": 1])
      #expect(counts("moho.store.written_rows") == ["moho.change=insert": 2])
    }

    @Test func undoneNestedWritesAreNotCounted() throws {
      struct Refusal: Error {}
      let store = try store()

      try store.write { writer in
        try writer.save(Episode.number(1))
        #expect(throws: Refusal.self) {
          try store.write { nested in
            try nested.save([Episode.number(2), .number(3)])
            throw Refusal()
          }
        }
      }

      #expect(counts("moho.store.transactions") == ["db.operation.name=write": 1])
      #expect(counts("moho.store.written_rows") == ["moho.change=insert": 1])
      #expect(try store.fetch(all) == [.number(1)])
    }

    @Test func anotherStoreHasTransactionsOfItsOwn() throws {
      struct Refusal: Error {}
      let store = try store()
      let other = try self.store()

      #expect(throws: Refusal.self) {
        try store.write { writer in
          try writer.save(Episode.number(1))
          try other.write { nested in
            try nested.save([Episode.number(2), .number(3)])
            // Part of the outer transaction, which is rolled back.
            try store.write { try $0.save(Episode.number(4)) }
          }
          throw Refusal()
        }
      }

      #expect(
        counts("moho.store.transactions") == [
          "db.operation.name=write": 1, "db.operation.name=write error.type=Refusal": 1,
        ])
      #expect(counts("moho.store.written_rows") == ["moho.change=insert": 2])
    }

    @Test func tasksThatAClosureCreatesHaveTransactionsOfTheirOwn() async throws {
      let store = try store()
      let all = all

      let count = try await store.write { writer in
        try writer.save(Episode.number(1))
        return Task { try await store.fetchCount(all) }
      }

      #expect(try await count.value <= 1)
      #expect(
        counts("moho.store.transactions") == [
          "db.operation.name=write": 1, "db.operation.name=read": 1,
        ])
    }

    @Test func errorsHaveATypeWithoutValues() async throws {
      struct Refusal: Error { var text = "secret" }
      let store = try store()

      await #expect(throws: Refusal.self) {
        try await store.write { writer in
          try writer.save(Episode.number(1))
          throw Refusal()
        }
      }
      await #expect(throws: StoreError.self) {
        try await store.write { try $0.execute(sql: "secret") }
      }

      #expect(
        counts("moho.store.transactions") == [
          "db.operation.name=write error.type=Refusal": 1,
          "db.operation.name=write error.type=\(StoreError.Code.database)": 1,
        ])
      #expect(counts("moho.store.written_rows") == [:])
    }

    @Test func plansAreNoErrors() async throws {
      let store = try store()

      let plan = try store.plan(saving: [Episode.number(1)])
      _ = try store.apply(plan)

      #expect(counts("moho.store.transactions") == ["db.operation.name=write": 2])
      #expect(counts("moho.store.written_rows")["moho.change=insert"] == 1)
    }

    @Test func planningInATransactionCountsNoRows() throws {
      let store = try store()

      try store.write { _ = try $0.plan(saving: [Episode.number(1)]) }

      #expect(counts("moho.store.transactions") == ["db.operation.name=write": 1])
      #expect(counts("moho.store.written_rows") == [:])
    }

    @Test func writtenRowsAreCountedByTheirChange() async throws {
      let store = try store()

      try await store.write { try $0.save([Episode.number(1), .number(2), .number(3)]) }
      try await store.write { writer in
        var first = Episode.number(1)
        first.title = "Loess"
        try writer.save([first, .number(2), .number(4)])
        try writer.delete(ModelRequest<Episode>().filter { $0.id == 3 })
        try writer.delete([Episode.number(2)])
      }

      #expect(
        counts("moho.store.written_rows") == [
          "moho.change=insert": 4, "moho.change=update": 1, "moho.change=delete": 2,
        ])
    }

    private struct Note: MappedModel {
      var id: Int

      static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
    }

    @Test func rowsThatContextsWriteAreCounted() throws {
      let store = try store(Note.self)
      let context = EditingContext(store)
      try store.write { try $0.save([Episode.number(1), .number(2)]) }
      for counter in metrics.counters { counter.reset() }

      let rows = try context.fetch(all)
      rows[0].title = "Loess"
      try context.delete(rows[1])
      try context.insert(Note.self).id = 7
      try context.save()

      #expect(
        counts("moho.store.written_rows") == [
          "moho.change=insert": 1, "moho.change=update": 1, "moho.change=delete": 1,
        ])
    }

    @Test func theWaitIncludesOtherWrites() async throws {
      let store = try store()
      let clock = ContinuousClock()
      let (begun, signal) = AsyncStream<Never>.makeStream()
      let mayEnd = DispatchSemaphore(value: 0)
      let first = Task {
        try await store.write { _ in
          signal.finish()
          mayEnd.wait()
        }
      }
      for await _ in begun {}

      let second = Task {
        try await store.write { _ in }
      }
      let start = clock.now
      while clock.now - start < .milliseconds(20) { await Task.yield() }
      mayEnd.signal()
      try await first.value
      try await second.value

      let waits = metrics.timers(label: "db.client.connection.wait_time").flatMap(\.values)
      let durations = metrics.timers(label: "db.client.operation.duration").flatMap(\.values)
      #expect(waits.count == 2)
      #expect(zip(waits, durations).allSatisfy { $0 < $1 })
      #expect(durations.max() ?? 0 >= 20_000_000)
    }

    @Test(.engine(.postgres)) func retriesAreCounted() async throws {
      let store = try store()
      try await store.write { try $0.save([Episode.number(1), .number(2)]) }
      for counter in metrics.counters { counter.reset() }

      var attempts = 0
      try Self.retry(store) { attempts += 1 }

      #expect(attempts == 2)
      #expect(counts("moho.store.retries") == ["db.operation.name=write": 1])
      #expect(counts("moho.store.transactions") == ["db.operation.name=write": 1])
      #expect(counts("moho.store.written_rows") == ["moho.change=update": 1])
    }

    /// Writes in a transaction that runs twice.
    private static func retry(_ store: ModelStore, _ onAttempt: () -> Void) throws {
      var isFirst = true
      try store.write { writer in
        onAttempt()
        var episode = Episode.number(1)
        episode.title = "Loess"
        try writer.save([episode])
        if isFirst {
          isFirst = false
          try writer.execute(
            sql: """
              DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END $$
              """)
        }
      }
    }

    @Test func followedCommitsAreCounted() async throws {
      let store = try store()
      try await store.write { try $0.save(Episode.number(1)) }
      #expect(counts("moho.store.followed_commits") == [:])
      let commits = try await store.commits()

      try await store.write { try $0.save([Episode.number(2), .number(3)]) }
      try await store.write { try $0.save([Episode.number(3)]) }
      try await store.write { try $0.delete(ModelRequest<Episode>()) }

      #expect(counts("moho.store.followed_commits") == ["": 2])
      #expect(counts("moho.store.followed_rows") == ["": 5])
      let lags = metrics.timers(label: "moho.store.commit_lag").flatMap(\.values)
      #expect(lags.count == 2)
      #expect(lags.allSatisfy { $0 > 0 })
      withExtendedLifetime(commits) {}
    }

    @Test func theLagIsPartOfTheTransaction() async throws {
      let store = try store()
      let commits = try await store.commits()

      try await store.write { try $0.save(Episode.number(1)) }

      let lag = metrics.timers(label: "moho.store.commit_lag").flatMap(\.values).max() ?? 0
      let duration =
        metrics.timers(label: "db.client.operation.duration").flatMap(\.values).max() ?? 0
      #expect(0 < lag && lag < duration)
      withExtendedLifetime(commits) {}
    }
  }
#endif
