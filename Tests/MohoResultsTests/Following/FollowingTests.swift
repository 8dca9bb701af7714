import Foundation
import MohoMapping
import MohoResults
import MohoStore
import Testing

/// Follows random transactions by results of every kind, and holds each against
/// one that reads everything anew.
///
/// `MOHO_RESULTS_STEPS` sets the number of transactions of each seed, for longer
/// runs.
@Suite struct FollowingTests {
  private static let stepCount =
    ProcessInfo.processInfo.environment["MOHO_RESULTS_STEPS"].flatMap(Int.init) ?? 200

  private static func twins(in store: ModelStore) throws -> [TwinControllers] {
    let all = ModelRequest<Book>()
    let genre = Operand.key(KeyName(["genre"]))
    return try [
      TwinControllers("indexed", all.order(by: \.pages), in: store),
      TwinControllers("descending", all.order(by: \.pages, .descending), in: store),
      TwinControllers(
        "fixed", all.filter { $0.genre == "crime" }.order(by: \.genre, .descending), in: store),
      TwinControllers("nils last", all.order(by: \.genre, nils: .last), in: store),
      TwinControllers(
        "unindexed", all.order(by: \.title, .descending).order(by: \.pages), in: store),
      TwinControllers(
        "filtered", all.filter { $0.pages > 9 && $0.genre != nil }.order(by: \.pages), in: store),
      TwinControllers(
        "sections", all.order(by: \.genre).order(by: \.pages, .descending), sectionedBy: genre,
        in: store),
      TwinControllers(
        "joined", all.filter { $0.shelf.rank > 1 }.order { $0.shelf.rank }.order(by: \.title),
        in: store),
      TwinControllers(
        "sections of others", all.order { $0.shelf.name }.order(by: \.title),
        sectionedBy: .key(KeyName(["shelf", "name"])), in: store),
      TwinControllers("any", all.filter { $0.chapters.any { $0.length > 20 } }, in: store),
      TwinControllers("count", all.order(.descending) { $0.chapters.count }, in: store),
      TwinControllers(
        "tags", all.filter { $0.tags.any { $0.weight > 3 } }.order(by: \.title), in: store),
      TwinControllers("window", all.order(by: \.pages).offset(3).limit(6), in: store),
      TwinControllers(
        "window of sections", all.order(by: \.genre).order(by: \.title).offset(1).limit(9),
        sectionedBy: genre, in: store),
      TwinControllers("nothing", all.limit(0), in: store),
    ]
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func resultsAreWhatReadingAnewWouldFind(seed: UInt64) throws {
    let store = try ModelStore.books()
    try RandomBooks.prepare(store)
    var random = RandomBooks(seed: seed)
    for _ in 0..<20 { try random.commit(to: store) }
    var twins = try Self.twins(in: store)

    for step in 0..<Self.stepCount {
      try random.commit(to: store)
      for index in twins.indices {
        do {
          try twins[index].check()
        } catch {
          Issue.record("seed \(seed), transaction \(step), \(twins[index].name): \(error)")
          return
        }
      }
    }
    for twin in twins where twin.name != "nothing" {
      #expect(twin.changeCount > Self.stepCount / 50, "\(twin.name)")
      #expect(twin.controller.stepCounts.placed > Self.stepCount / 50, "\(twin.name)")
    }
  }
}
