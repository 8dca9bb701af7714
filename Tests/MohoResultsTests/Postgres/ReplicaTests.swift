import Campaigns
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres

/// Controllers on standby servers, and on servers that are replaced by them.
@Suite(
  .serialized, .requiresPostgres, .enabled(if: Campaign.isRunning, "runs in campaigns"),
  .timeLimit(.minutes(40)))
struct ReplicaTests {
  @Test(arguments: [true, false])
  func `controllers go on with a promoted standby`(isSynchronous: Bool) async throws {
    let rounds = UInt64(Campaign.count("MOHO_FAILOVERS", short: 1, full: 4))
    for seed in 1...rounds {
      let primary = try PostgresServer()
      _ = try ModelStore.stories(primary.url())
      let standby = try PostgresServer(standbyOf: primary)
      if isSynchronous {
        // A commit is acknowledged, and visible to others, after the standby has it.
        try primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.execute("ALTER SYSTEM SET synchronous_commit = 'on'")
        try primary.execute("SELECT pg_reload_conf()")
      }
      let url =
        "postgresql://moho@/postgres?host=\(primary.folder),\(standby.folder)"
        + "&port=5432,5432&target_session_attrs=read-write"
      let store = try ModelStore.stories(url)
      let first = try RandomStories(url, seed: seed, writer: 9, truncates: false)
      for _ in 0..<30 { first.commit() }
      let run = try OracleRun(store, seed: seed)

      let before = try (1...2).map {
        try RandomStories(url, seed: seed, writer: $0, truncates: false)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for random in before {
          group.addTask { while !random.isDisconnected { random.commit() } }
        }
        for _ in 0..<40 { first.commit() }
        primary.kill()
        try await group.waitForAll()
      }
      try standby.promote()
      let after = try RandomStories(url, seed: seed, writer: 3, truncates: false)
      for _ in 0..<60 { after.commit() }

      let counts = try await run.finish()
      #expect(counts.incomplete >= 1, "seed \(seed)")
      #expect(after.committed > 30)
      print("failover \(seed), synchronous: \(isSynchronous), \(counts)")
    }
  }

  @Test func `a controller on a standby follows the primary server`() async throws {
    let primary = try PostgresServer()
    let source = try ModelStore.stories(primary.url())
    let standby = try PostgresServer(standbyOf: primary)
    let polls = Mutex(0)
    var configuration = PostgresConfiguration()
    configuration.onStatement = { sql in
      if sql == ReplicaState.query { polls.withLock { $0 += 1 } }
    }
    let store = try await ModelStore(
      postgres: standby.url(), models: Story.self, StoryShelf.self, StoryChapter.self,
      StoryTag.self, configuration: configuration)
    let run = try OracleRun(store, seed: 1)
    let all = ModelRequest<Story>().order(by: \.pages).order(by: \.id)
    let controller = try await ResultsController(all, in: store)
    var updates = controller.updates.makeAsyncIterator()

    let random = try RandomStories(primary.url(), seed: 1, writer: 1, truncates: false)
    for round in 1...8 {
      for _ in 0..<20 { random.commit() }
      let last = Story(
        id: 900_000 + round, title: "last", pages: round, genre: nil, shelf: nil, chapters: [],
        tags: [])
      try await source.write { try $0.save(last) }
      let expected = try await source.fetch(all)
      var shown: [Story] = []
      while shown != expected {
        let update = try #require(try await updates.next())
        // Models that were read before a later commit are no longer readable.
        shown = (try? update.after.models()) ?? []
      }
    }

    // Checkpoints are not changes.
    let steps = controller.strategyCounts.rescanned
    for _ in 0..<2 {
      try primary.execute("CHECKPOINT")
      let known = polls.withLock { $0 }
      while polls.withLock({ $0 }) < known + 2 { await Task.yield() }
    }
    #expect(controller.strategyCounts.rescanned == steps)
    let counts = try await run.finish()
    #expect(counts.incomplete == counts.steps && counts.steps >= 8)
    print("standby: \(counts)")
  }
}
