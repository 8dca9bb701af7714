import Foundation
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import Synchronization

/// Controllers of many requests in one store. After each commit, they are compared with
/// a full fetch in the same snapshot.
final class OracleRun {
  /// Checks all followers after each commit. Subscribed after them, so that they have
  /// processed the commit.
  private final class Oracle: Sendable {
    let followers: [OracleFollower]
    let issues = Mutex<[String]>([])
    let counts = Mutex((steps: 0, incomplete: 0))

    init(_ followers: [OracleFollower]) { self.followers = followers }

    func check(_ commit: Result<CommittedChanges, any Error>, _ reader: StoreReader) {
      guard issues.withLock({ $0.isEmpty }) else { return }
      let step = counts.withLock { counts in
        counts.steps += 1
        return counts.steps
      }
      // The next commit that can be read is compared.
      if case .failure(let error as StoreError) = commit, error.isLostConnection { return }
      do {
        let commit = try commit.get()
        if !commit.isComplete { counts.withLock { $0.incomplete += 1 } }
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

  /// What a run has checked.
  struct Counts {
    /// The number of reported commits. Each contains one or more transactions.
    var steps = 0
    /// The number of reported commits that do not name all changed rows.
    var incomplete = 0
    /// The number of updates of all controllers.
    var changes = 0
    /// The number of updates that consumers have received.
    var updates = 0
  }

  private let store: ModelStore
  private let oracle: Oracle
  private var subscription: CommitSubscription?

  /// - Parameter share: Every how many of the requests are followed.
  init(_ store: ModelStore, seed: UInt64, share: Int = 1) throws {
    self.store = store
    // All controllers begin with the snapshot of the oracle.
    (oracle, subscription) = try store.observe({ _ in
      let followers = try Self.followers(store).enumerated()
        .filter { $0.offset % share == Int(seed) % share }.map(\.element)
      for (index, follower) in followers.enumerated() {
        let kinds = OracleConsumer.Kind.allCases
        follower.add(kinds[(index + Int(seed)) % kinds.count], seed: seed &+ UInt64(index))
      }
      return Oracle(followers)
    }) { $0.check($1, $2) }
  }

  /// Checks all consumers and, after the last commit of all connections, all models.
  func finish(isLast: Bool = true) async throws -> Counts {
    _ = try store.readNewest { _ in }
    subscription = nil
    if let issue = oracle.issues.withLock({ $0.first }) { throw Mismatch(description: issue) }
    let steps = oracle.counts.withLock { $0 }
    var counts = Counts(steps: steps.steps, incomplete: steps.incomplete)
    for follower in oracle.followers {
      do {
        if isLast { try follower.checkModels() }
        counts.updates += try await follower.checkConsumers()
      } catch {
        throw Mismatch(description: "\(follower.name), \(error)")
      }
      counts.changes += follower.changeCount
    }
    return counts
  }

  private static func followers(_ store: ModelStore) throws -> [OracleFollower] {
    let all = ModelRequest<Story>()
    let genre = Operand.key(KeyName(["genre"]))
    let swedish = Locale(identifier: "sv")
    let list: [(String, ModelRequest<Story>, Operand?)] = [
      ("indexed", all.order(by: \.pages), nil),
      ("descending", all.order(by: \.pages, .descending), nil),
      ("optional", all.order(by: \.genre), nil),
      ("optional, nil last", all.order(by: \.genre, nils: .last), nil),
      ("optional, descending", all.order(by: \.genre, .descending), nil),
      ("unsigned", all.filter { $0.words != 7 }.order(by: \.words, .descending), nil),
      (
        "sections of unsigned",
        all.filter { $0.words == nil || $0.words > 9_223_372_036_854_775_807 }
          .order(by: \.words).order(by: \.title),
        .key(KeyName(["words"]))
      ),
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
      ("nothing", all.limit(0), nil),
      ("window of sections", all.order(by: \.genre).order(by: \.title).offset(1).limit(9), genre),
      (
        "localized",
        all.order(by: \.title, .descending, collation: .localizedStandard(in: swedish)), nil
      ),
      (
        "letters",
        all.order(collation: .localized(in: swedish)) { $0.title.indexLetter(in: swedish) }
          .order(by: \.title, collation: .localizedStandard(in: swedish)),
        .indexLetter(.key(KeyName(["title"])), locale: "sv")
      ),
      (
        "matches",
        all.filter { $0.title.contains("É", [.caseInsensitive, .diacriticInsensitive]) }, nil
      ),
      (
        "sections without case",
        all.order(by: \.genre, nils: .last, options: .caseInsensitive), genre
      ),
    ]
    return try list.map { try OracleFollower($0.0, $0.1, sectionedBy: $0.2, in: store) }
  }
}

extension StoreError {
  /// Whether the connection was lost, and the server or its successor is not yet available.
  var isLostConnection: Bool { [.connectionLost, .cannotConnect].contains(code) }
}
