import Foundation
import MohoMapping
import MohoResults
import MohoRows
import MohoTesting
import StoreTesting
import Testing

/// Runs writers, readers and controllers concurrently, also under ThreadSanitizer.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct ConcurrencyTests {
  private static let writes = 150

  @Test func controllersFollowConcurrentWriters() async throws {
    let (store, folder) = try emptySharedStore(Card.self)
    defer { withExtendedLifetime(folder) {} }
    let requests = [
      ModelRequest<Card>().order(by: \.rank),
      ModelRequest<Card>().filter { $0.rank > 5 }.order(by: \.title, .descending),
      ModelRequest<Card>().order(by: \.deck).order(by: \.rank).limit(10),
    ]

    let controllers = try requests.enumerated().map { number, request in
      number == 2
        ? try ResultsController(request, in: store, sectionedBy: \.deck)
        : try ResultsController(request, in: store)
    }
    let followers = controllers.map { controller in
      Task { try await Self.follow(controller) }
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 { group.addTask { try Self.write(writer, to: store) } }
      for _ in 0..<2 { group.addTask { try Self.read(store, requests[0]) } }
      group.addTask { try Self.edit(store, requests[0]) }
      try await group.waitForAll()
    }
    for (follower, (controller, request)) in zip(followers, zip(controllers, requests)) {
      follower.cancel()
      try await follower.value
      #expect(try await controller.snapshot.models() == store.fetch(request))
    }
  }

  private static func follow(_ controller: ResultsController<Card>) async throws {
    let known = controller.snapshot
    var index = known.index
    for try await update in controller.updates(since: known) {
      #expect(update.before.index == index)
      index = update.after.index
      // If a row cannot be read, another update follows.
      _ = try? update.after.models()
    }
  }

  private static func write(_ writer: Int, to store: ModelStore) throws {
    var generator = SeededGenerator(seed: UInt64(writer + 1))
    for _ in 0..<writes {
      let (id, rank) = (writer * 20 + generator.below(20), generator.below(30))
      let card = Card(
        id: id + 1, deck: ["A", "B", nil][generator.below(3)], rank: rank, title: "\(rank)",
        note: nil)
      let isGone = generator.oneIn(4)
      try store.write { writer in
        if isGone { try writer.delete([card]) } else { try writer.save(card) }
      }
    }
  }

  private static func read(_ store: ModelStore, _ request: ModelRequest<Card>) throws {
    for _ in 0..<writes {
      let models = try store.fetch(request)
      #expect(models.map(\.rank) == models.map(\.rank).sorted())
    }
  }

  /// Edits a context and checks its result after each edit.
  private static func edit(_ store: ModelStore, _ request: ModelRequest<Card>) throws {
    let context = EditingContext(store)
    let results = try ContextResultsController(request, in: context)
    for number in 0..<writes / 5 {
      let row = try context.insert(Card.self)
      try row.set(\Card.id, to: 1_000 + number)
      try row.set(\Card.rank, to: number)
      #expect(results.failure == nil)
      #expect(results.snapshot.count >= number + 1)
    }
    context.rollback()
    #expect(results.failure == nil)
  }
}
