import Campaigns
import MohoMapping
import MohoPostgres
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

/// Compares every update of many controllers with a full fetch in the same snapshot,
/// while several connections and stores execute random transactions.
@Suite(.requiresPostgres, .timeLimit(.minutes(40)))
struct OracleTests {
  @Test(arguments: Campaign.seeds(from: "MOHO_POSTGRES_SEED", default: 1, count: 3))
  func `updates lead from one snapshot to the next`(seed: UInt64) async throws {
    let url = try PostgresServer.shared().emptySchema()
    let (store, other) = (try ModelStore.stories(url), try ModelStore.stories(url))
    let first = try RandomStories(url, seed: seed, writer: 9, truncates: false)
    for _ in 0..<30 { first.commit() }
    let runs = [
      try OracleRun(store, seed: seed), try OracleRun(other, seed: seed, share: 4),
    ]

    let count = Campaign.count("MOHO_POSTGRES_STEPS", short: 15, full: 1_500)
    let committed = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 1...3 {
        group.addTask {
          let random = try RandomStories(url, seed: seed, writer: writer, truncates: seed % 3 == 0)
          for _ in 0..<count { random.commit() }
          return random.committed
        }
      }
      for (number, store) in [store, other].enumerated() {
        group.addTask {
          var generator = SeededGenerator(seed: seed &+ UInt64(number))
          for step in 0..<count / 6 {
            let id = 400_000 + generator.below(20)
            let pages = generator.below(30)
            try await store.write { writer in
              try writer.save(
                Story(
                  id: id, title: "saved \(step)", pages: pages, genre: nil, shelf: nil,
                  chapters: [], tags: []))
            }
          }
          return count / 6
        }
      }
      // Controllers that are created and released again.
      group.addTask {
        let random = try RandomStories(url, seed: seed, writer: 8, truncates: false)
        for round in 0..<UInt64(count / 10) {
          let run = try OracleRun(other, seed: seed &+ round, share: 6)
          for _ in 0..<4 { random.commit() }
          _ = try await run.finish(isLast: false)
        }
        return random.committed
      }
      return try await group.reduce(0, +)
    }

    var counts: [OracleRun.Counts] = []
    for run in runs { counts.append(try await run.finish()) }
    #expect(counts.allSatisfy { $0.steps > count / 6 }, "seed \(seed), \(committed) transactions")
    #expect(counts[0].changes > counts[0].steps && counts[0].updates > count / 6, "seed \(seed)")
    if Campaign.isRunning {
      print(
        "seed \(seed): \(committed) transactions, steps: \(counts.map(\.steps)),",
        "updates: \(counts.map(\.changes)), received: \(counts.map(\.updates))")
    }
  }
}
