import Campaigns
import Foundation
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import MohoTesting
import PostgresTesting
import Synchronization
import Testing

/// Compares every update of several controllers with a full fetch in the same
/// snapshot, while several connections execute random transactions.
@Suite(.enabled(if: !PostgresServer.isSkipped), .timeLimit(.minutes(20)))
struct OracleTests {
  /// Checks all followers after each commit. Subscribed after them, so that they have
  /// processed the commit.
  // `@unchecked`: used only on the queue of the commits.
  private final class Oracle: @unchecked Sendable {
    let followers: [OracleFollower]
    let issues = Mutex<[String]>([])
    let steps = Mutex(0)

    init(_ followers: [OracleFollower]) { self.followers = followers }

    func check(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
      guard issues.withLock({ $0.isEmpty }) else { return }
      let step = steps.withLock { steps in
        steps += 1
        return steps
      }
      do {
        let commit = try commit.get()
        let isExact = commit.isComplete && commit.tables.values.allSatisfy(\.isComplete)
        for follower in followers {
          do { try follower.check(reader, isExact: isExact) } catch {
            issues.withLock { $0.append("step \(step), \(follower.name): \(error)") }
          }
        }
      } catch {
        issues.withLock { $0.append("step \(step): \(error)") }
      }
    }
  }

  private static func followers(_ store: ModelStore) throws -> [OracleFollower] {
    let all = ModelRequest<Story>()
    let genre = Operand.key(KeyName(["genre"]))
    let list: [(String, ModelRequest<Story>, Operand?)] = [
      ("indexed", all.order(by: \.pages), nil),
      ("descending", all.order(by: \.pages, .descending), nil),
      ("optional", all.order(by: \.genre), nil),
      ("optional, nil last", all.order(by: \.genre, nils: .last), nil),
      ("optional, descending", all.order(by: \.genre, .descending), nil),
      ("fixed", all.filter { $0.genre == "crime" }.order(by: \.genre), nil),
      ("unindexed", all.order(by: \.title, .descending).order(by: \.pages), nil),
      ("filter", all.filter { $0.pages > 9 && $0.genre != nil }.order(by: \.pages), nil),
      ("range", all.filter { $0.pages > 9 }.order(by: \.pages), nil),
      ("sections", all.order(by: \.genre).order(by: \.pages, .descending), genre),
      (
        "joined", all.filter { $0.shelf.rank > 1 }.order { $0.shelf.rank }.order(by: \.title), nil
      ),
      (
        "sections of related rows", all.order { $0.shelf.name }.order(by: \.title),
        .key(KeyName(["shelf", "name"]))
      ),
      ("any", all.filter { $0.chapters.any { $0.length > 20 } }, nil),
      ("count", all.order(.descending) { $0.chapters.count }, nil),
      ("tags", all.filter { $0.tags.any { $0.weight > 3 } }.order(by: \.title), nil),
      ("window", all.order(by: \.pages).offset(3).limit(6), nil),
      ("identities, descending", all.order(by: \.id, .descending), nil),
      (
        "sections without case",
        all.order(by: \.genre, nils: .last, options: .caseInsensitive), genre
      ),
    ]
    return try list.map { try OracleFollower($0.0, $0.1, sectionedBy: $0.2, in: store) }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_POSTGRES_SEED", default: 1, count: 3))
  func `updates lead from one snapshot to the next`(seed: UInt64) async throws {
    let url = try PostgresServer.shared().emptySchema()
    let store = try ModelStore.stories(url)
    let first = try RandomStories(url, seed: seed, writer: 9, truncates: false)
    for _ in 0..<30 { first.commit() }
    let oracle = Oracle(try Self.followers(store))
    let (_, subscription) = try store.observe({ _ in oracle }) { $0.check($1, $2) }

    let count = Campaign.count("MOHO_POSTGRES_STEPS", short: 40, full: 3_000)
    let committed = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 1...3 {
        group.addTask {
          let random = try RandomStories(url, seed: seed, writer: writer, truncates: seed % 3 == 0)
          for _ in 0..<count { random.commit() }
          return random.committed
        }
      }
      group.addTask {
        var generator = SeededGenerator(seed: seed)
        for step in 0..<count / 4 {
          let id = 400_000 + generator.below(20)
          let pages = generator.below(30)
          try await store.write { writer in
            try writer.save(
              Story(
                id: id, title: "saved \(step)", pages: pages, genre: nil, shelf: nil, chapters: [],
                tags: []))
          }
        }
        return count / 4
      }
      return try await group.reduce(0, +)
    }
    _ = try store.readNewest { _ in }

    for follower in oracle.followers { try follower.checkModels() }
    let steps = oracle.steps.withLock { $0 }
    let changes = oracle.followers.map(\.changeCount).reduce(0, +)
    #expect(oracle.issues.withLock { $0.first } == nil, "seed \(seed)")
    #expect(steps > count / 4 && changes > steps, "\(committed) transactions")
    if Campaign.isFull {
      print("seed \(seed): \(committed) transactions, \(steps) steps, \(changes) updates")
    }
    withExtendedLifetime(subscription) {}
  }
}
