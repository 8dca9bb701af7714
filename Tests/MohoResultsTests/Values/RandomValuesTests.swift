import Campaigns
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@testable import MohoResults

/// Follows random transactions with observed values of every kind, and compares
/// each with the value that is read after the transaction.
@Suite(.allEngines) struct RandomValuesTests {
  /// A followed value.
  private struct Followed {
    let name: String
    /// Throws if the value differs from that of the store, or if it was delivered
    /// without being changed.
    let check: () throws -> Void

    init<Value: Equatable & Sendable>(
      _ name: String, _ query: ValueQuery<Value>, in store: ModelStore,
      _ read: @escaping (StoreReader) throws -> Value
    ) throws {
      self.name = name
      let follower = try ValueFollower.following(query, in: store)
      var known = follower.state
      check = {
        let state = follower.state
        let expected = try store.read(read)
        guard state.value == expected else {
          throw Mismatch(description: "\(state.value) is not \(expected)")
        }
        guard (state.value == known.value) == (state.generation == known.generation) else {
          throw Mismatch(description: "\(known) was followed by \(state)")
        }
        known = state
      }
    }
  }

  private static func followed(in store: ModelStore, seed: UInt64) throws -> [Followed] {
    let all = ModelRequest<Book>()
    var requests: [(String, ModelRequest<Book>)] = [
      ("all", all), ("genre", all.filter { $0.genre == "crime" }.order(by: \.title)),
      ("pages", all.filter { $0.pages > 9 && $0.genre != nil }.order(by: \.pages)),
      ("joined", all.filter { $0.shelf.rank > 1 }.order { $0.shelf.rank }.order(by: \.title)),
      ("any", all.filter { $0.chapters.any { $0.length > 20 } }),
      ("tags", all.filter { $0.tags.any { $0.weight > 3 } }.order(by: \.title)),
      ("window", all.order(by: \.pages).offset(3).limit(6)), ("nothing", all.limit(0)),
    ]
    let searching: [(String, ModelRequest<Book>)] = [
      ("searched", all.filter { $0.matches("title 1") || $0.shelf.matches("po*") }),
      ("relevance", all.filter { $0.matches("title cr*") }.order(by: .relevance).limit(4)),
      ("no words", all.filter { $0.matches("") }.order(by: .relevance)),
      ("searched genre", all.filter { $0.matches("crime", in: \.genre) }.order(by: \.title)),
    ]
    let firstRows: [(String, ModelRequest<Book>)] = [
      ("first of genres", all.order(by: \.pages, .descending).first(1, per: { [$0.genre] })),
      (
        "first of shelves",
        all.filter { $0.pages > 4 }.order(by: \.title)
          .first(2, per: { [$0.shelf.name, $0.genre] })
      ),
      (
        "window of first rows",
        all.order(by: \.title).first(2, per: { [$0.shelf.rank] }).offset(2).limit(5)
      ),
      ("no first rows", all.first(0, per: { [$0.genre] })),
    ]
    requests += searching + firstRows
    var followed: [Followed] = []
    for (number, (name, request)) in requests.enumerated()
    where Campaign.isRunning || UInt64(number) % 4 == seed % 4 {
      followed += try [
        Followed("count of \(name)", .count(request), in: store) { try $0.fetchCount(request) },
        Followed("existence of \(name)", .exists(request), in: store) { try $0.exists(request) },
        Followed("first of \(name)", .first(request), in: store) { try $0.fetchFirst(request) },
        Followed("models of \(name)", .models(request), in: store) { try $0.fetch(request) },
        Followed(
          "values of \(name)", .values(request) { [$0.title, $0.shelf.name, $0.chapters.count] },
          in: store
        ) { try $0.fetchValues(request) { [$0.title, $0.shelf.name, $0.chapters.count] } },
        Followed("identities of \(name)", .values(request) { [$0.id] }, in: store) {
          try $0.fetchValues(request) { [$0.id] }
        },
        Followed(
          "sum of \(name)", .aggregates(request) { [.sum($0.pages), .maximum($0.shelf.rank)] },
          in: store
        ) { try $0.fetchAggregates(request) { [.sum($0.pages), .maximum($0.shelf.rank)] } },
        Followed(
          "groups of \(name)", .aggregates(request, groupedBy: { [$0.genre] }) { _ in [.count] },
          in: store
        ) { try $0.fetchAggregates(request, groupedBy: { [$0.genre] }) { _ in [.count] } },
        Followed(
          "summaries of \(name)",
          .aggregates(request, groupedBy: { [$0.shelf.rank, $0.genre] }, Self.summary), in: store
        ) {
          try $0.fetchAggregates(request, groupedBy: { [$0.shelf.rank, $0.genre] }, Self.summary)
        },
      ]
    }
    let found = all.filter { $0.matches("title cr*") }
    followed.append(
      try Followed(
        "snippets", .values(found) { [$0.title.highlighted("<", ">"), $0.relevance] }, in: store
      ) { try $0.fetchValues(found) { [$0.title.highlighted("<", ">"), $0.relevance] } })
    for id in 1...5 {
      let request = all.filter { $0.id == id }
      followed.append(
        try Followed("model \(id)", .model(ModelReference<Book>(key: id)), in: store) {
          try $0.fetchFirst(request)
        })
    }
    let chapters = RowRequest("Chapter").filter { $0["length"] < 10 }
    followed.append(
      try Followed("rows", .count(chapters), in: store) { try $0.fetchCount(chapters) })
    return followed
  }

  /// Aggregates of each kind, of keys, related rows and calculations.
  private static func summary(_ book: ModelKeys<Book>) -> [Aggregate] {
    [
      .count, .count(book.shelf.name), .sum(book.pages * 3 - book.chapters.count),
      .average(book.pages), .minimum(book.title), .maximum(book.pages), .minimum(book.shelf.name),
      .distinctCount(book.title), .distinctCount(book.shelf.rank),
    ]
  }

  /// Follows transactions with all values.
  private func follow(
    _ store: ModelStore, seed: UInt64, steps: Int, commit: (inout RandomBooks) throws -> Void
  ) throws {
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    let followed = try Self.followed(in: store, seed: seed)
    for step in 0..<steps {
      try commit(&random)
      for value in followed {
        do {
          try value.check()
        } catch {
          Issue.record("seed \(seed), step \(step), \(value.name): \(error)\n\(random.statements)")
          return
        }
      }
    }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 4))
  func valuesAreThoseThatAreReadAfterEachCommit(seed: UInt64) throws {
    let store = try ModelStore.books()
    let steps = Campaign.count("MOHO_RESULTS_STEPS", short: 40, full: 2_000)
    try follow(store, seed: seed, steps: steps) { try $0.commit(to: store) }
  }

  @Test(arguments: Campaign.seeds(from: "MOHO_RESULTS_SEED", default: 1, count: 4))
  func valuesFollowOtherProcesses(seed: UInt64) throws {
    try ModelStore.withExternalWriter { store, writer in
      try follow(store, seed: seed, steps: Campaign.count(short: 20, full: 300)) {
        try $0.commit(to: store, orBy: writer)
      }
    }
  }
}
