import Campaigns
import MohoChanges
import MohoMapping
import MohoPostgres
import MohoResults
import MohoRows
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

/// Rows that are placed before and after long runs of rows outside of the result.
@Suite(.requiresPostgres) struct PredecessorTests {
  private static let all = ModelRequest<Story>().filter { $0.title < "n" }

  private static let orders = [
    all.order(by: \.pages),
    all.order(by: \.pages, .descending),
    all.order(by: \.genre),
    all.order(by: \.genre, .descending, nils: .last),
    all.order(by: \.genre, nils: .last),
    all.order(by: \.title),
    all.filter { $0.genre == "genre 1" }.order(by: \.pages),
    all.filter { $0.pages > 100 && $0.pages < 900 }.order(by: \.pages),
    all.filter { $0.shelf.rank > 1 }.order(by: \.pages),
    all.order(by: \.id, .descending),
    ModelRequest().filter { $0.title == "other 3" }.order(by: \.pages),
  ]

  @Test(
    arguments: Campaign.seeds(
      from: "MOHO_PREDECESSOR_SEED", count: Campaign.count(short: 1, full: 20)))
  func rowsAreFoundAfterManyRowsOutsideOfTheResult(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try ModelStore.stories(PostgresServer.shared().emptySchema())
    let shelves = [nil] + (1...3).map { StoryShelf(id: $0, name: nil, rank: $0) }
    func story(_ id: Int) -> Story {
      let isMember = Int.random(in: 0..<40, using: &random) == 0
      return Story(
        id: id, title: "\(isMember ? "member" : "other") \(Int.random(in: 0..<9, using: &random))",
        pages: Int.random(in: 0..<1_000, using: &random),
        genre: ["genre 1", "genre 2", nil].randomElement(using: &random) ?? nil,
        shelf: shelves.randomElement(using: &random) ?? nil, chapters: [], tags: [])
    }
    try store.write { try $0.save((1...400).map { story($0) }) }
    let controllers = try Self.orders.map { try ResultsController($0, in: store) }

    for step in 0..<10 {
      let ids = Set(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          Int.random(in: 1...400, using: &random)
        })
      try store.write { try $0.save(ids.sorted().map { story($0) }) }
      try store.execute(
        """
        UPDATE "Story" SET pages = 1000 - pages WHERE title LIKE 'member%' AND id % 7 = \(step % 7)
        """)
      for (request, controller) in zip(Self.orders, controllers) {
        let rowIDs = try store.fetchIdentities(request)
        #expect(
          Array(controller.snapshot.index.rowIDs) == rowIDs,
          "seed \(seed), step \(step), \(request)")
      }
    }

    #expect(controllers.allSatisfy { $0.strategyCounts.rescanned == 0 })
    #expect(controllers.allSatisfy { $0.strategyCounts.repositioned > 0 })
  }
}
