import Campaigns
import Fixtures
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Synchronization
import Testing

/// Tests that several models with the same unique key in one call are saved to
/// the same row, which is written only if it changes.
@Suite(.allEngines) struct RepeatedModelTests {
  private static let entryPoints:
    [(name: String, save: @Sendable (StoreWriter, [Episode]) throws -> SaveReport)] = [
      ("an array", { try $0.save($1) }),
      ("a lazy collection", { try $0.save($1.lazy.map { $0 }) }),
      ("a sequence that is read once", { try $0.save(OneTimeSequence($1)) }),
      ("a mirror", { try $0.save($1, mode: .mirror(ModelRequest(), deletingAtMost: 1)) }),
      (
        "fields of JSON",
        { writer, models in
          let adapter = JSONAdapter<Episode>()
          return try writer.save(decoding: adapter.fields(from: adapter.data(from: models)))
        }
      ),
      ("a plan", { try $0.apply($0.plan(saving: $1)) }),
      (
        "partial models",
        { writer, models in try writer.update(models.map { Partial($0) }) }
      ),
    ]

  @Test(arguments: entryPoints.indices)
  func unequalModelsWithOneKeySettleToTheLastOne(entryPoint: Int) throws {
    let save = Self.entryPoints[entryPoint].save
    let store = try WatchedStore(Episode.self)
    try store.store.write { try $0.save([Episode.number(1), .number(2)]) }
    let models = [Episode.number(1, title: "a"), .number(2), .number(1, title: "b")]

    let first = try store.store.write { try save($0, models) }
    let commits = store.commitCount
    let again = try store.store.write { try save($0, models) }

    #expect(first == SaveReport(updated: 1, unchanged: 2))
    #expect(again == SaveReport(unchanged: 3))
    #expect(
      try store.store.fetch(ModelRequest<Episode>()) == [.number(1, title: "b"), .number(2)])
    #expect(store.commitCount == commits)
  }

  @Test(arguments: entryPoints.indices.dropLast())
  func aNewRowOfSeveralModelsIsInsertedOnce(entryPoint: Int) throws {
    let save = Self.entryPoints[entryPoint].save
    let store = try emptyStore(Episode.self)
    let models = [Episode.number(7, title: "a"), .number(7, title: "b"), .number(7, title: "c")]

    let report = try store.write { try save($0, models) }

    #expect(report == SaveReport(inserted: 1, unchanged: 2))
    #expect(try store.fetch(ModelRequest<Episode>()) == [.number(7, title: "c")])
  }

  @Test func aBooleanIsPartOfAKey() throws {
    let store = try emptyStore(Setting.self)
    let settings = [
      Setting(name: "a", isLocal: true, text: "1"), Setting(name: "a", isLocal: false, text: "2"),
      Setting(name: "a", isLocal: true, text: "3"),
    ]

    let report = try store.write { try $0.save(settings) }

    #expect(report == SaveReport(inserted: 2, unchanged: 1))
    #expect(try store.fetch(ModelRequest<Setting>().order(by: \.text)).map(\.text) == ["2", "3"])
  }

  @Test(arguments: 0..<Campaign.count(short: 8, full: 240))
  func aSecondImportOfAnyModelsWritesNothing(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = try WatchedStore(Coded.self)
    let oracle = try emptyStore(Coded.self)
    for _ in 0..<4 {
      let models = (0..<random.below(12)).map { _ in
        Coded(
          code: "c\(random.below(5))", slot: nil, text: "t\(random.below(3))")
      }

      let report = try store.store.write { try $0.save(models) }
      for model in models { try oracle.write { try $0.save(model) } }
      let commits = store.commitCount
      let again = try store.store.write { try $0.save(models) }

      let all = ModelRequest<Coded>().order(by: \.code)
      #expect(try store.store.fetch(all) == oracle.fetch(all), "seed \(seed)")
      #expect(
        report.inserted + report.updated + report.unchanged == models.count, "seed \(seed)")
      #expect(again == SaveReport(unchanged: models.count), "seed \(seed)")
      #expect(store.commitCount == commits, "seed \(seed)")
    }
  }

  @Test func modelsThatPassOnAUniqueValueAreSaved() throws {
    let store = try emptyStore(Coded.self)
    try store.write {
      try $0.save([Coded(code: "a", slot: 1, text: ""), Coded(code: "b", slot: 2, text: "")])
    }
    // The row of `a` must release its value before the row of `c` uses it.
    let models = [
      Coded(code: "a", slot: 3, text: "x"), Coded(code: "c", slot: 1, text: ""),
      Coded(code: "a", slot: 4, text: "y"),
    ]

    try store.write { try $0.save(models) }

    let slots = try store.fetch(ModelRequest<Coded>().order(by: \.code)).map(\.slot)
    #expect(slots == [4, 2, 1])
  }

  @Test func aModelThatIsReplacedMustBeValidToo() throws {
    let store = try emptyStore(Rated.self, Price.self)
    try store.write { try $0.save(Price(id: 1, amount: 1)) }
    let models = [
      Price(id: 1, amount: 2), Price(id: 1, amount: 3), Price(id: 1, amount: 4, rate: .nan),
      Price(id: 1, amount: 5),
    ]

    let error = #expect(throws: MappingError.self) { try store.write { try $0.save(models) } }

    #expect(error?.key == "rate")
    #expect(try store.fetch(ModelRequest<Price>()).map(\.amount) == [1])
  }

  @Test func partialModelsOfOneRowAreOneUpdate() throws {
    let store = try WatchedStore(Episode.self)
    try store.store.write { try $0.save(Episode.number(1)) }
    var (title, season, other) = (Partial<Episode>(), Partial<Episode>(), Partial<Episode>())
    title[\.id] = 1
    title[\.title] = "a"
    season[\.id] = 1
    season[\.season] = 3
    other[\.id] = 1
    other[\.title] = "b"
    var missing = Partial<Episode>()
    missing[\.id] = 9
    missing[\.title] = "c"
    let partials = [title, season, other, missing, missing]

    let first = try store.store.write { try $0.update(partials) }
    let again = try store.store.write { try $0.update(partials) }

    #expect(first == SaveReport(updated: 1, unchanged: 2, missing: 2))
    #expect(again == SaveReport(unchanged: 3, missing: 2))
    #expect(
      try store.store.fetch(ModelRequest<Episode>()) == [.number(1, title: "b", season: 3)])
  }

  @Test func rowAdaptersTakeTheLastModel() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save(Episode.number(1, title: "b")) }
    let context = EditingContext(store)

    try ManagedRowAdapter<Episode>().rows(
      from: [.number(1, title: "a"), .number(1, title: "b")], in: context)

    #expect(!context.hasChanges)
  }
}

/// Tests rows that occur in several batches of a graph.
@Suite(.allEngines) struct RepeatedGraphTests {
  /// Parts with a speaker each, in several batches. The first and the last
  /// speaker differ.
  private static let parts: [Part] = (0..<1_100).map { number in
    Part(
      code: "p\(number % 1_050)", title: "title \(number)",
      speaker: Guest(name: "g\(number % 7)", town: "town \(number / 500)"))
  }

  @Test func nestedModelsOfSeveralBatchesSettle() throws {
    let store = try WatchedStore(Part.self)
    try store.store.write { try $0.save(Self.parts) }

    let commits = store.commitCount
    let again = try store.store.write { try $0.save(Self.parts) }

    #expect(again.inserted == 0)
    #expect(again.updated == 0)
    #expect(again.linked + again.unlinked + again.deleted == 0)
    #expect(store.commitCount == commits)
    let guests = try store.store.fetch(ModelRequest<Guest>().order(by: \.name))
    #expect(guests.map(\.town) == Array(repeating: "town 2", count: 7))
    let parts = try store.store.fetch(ModelRequest<Part>().filter { $0.code == "p3" })
    #expect(parts.map(\.title) == ["title 1053"])
    #expect(parts.map { $0.speaker?.name } == ["g\(1_053 % 7)"])
  }

  @Test func aChangeOfSeveralBatchesIsCountedOnce() throws {
    let store = try emptyStore(Part.self)
    try store.write { try $0.save(Self.parts) }
    var parts = Self.parts
    parts[1_053].title = "changed"

    let report = try store.write { try $0.save(parts) }

    #expect(report.updated == 1)
    #expect(try store.fetch(ModelRequest<Part>().filter { $0.title == "changed" }).count == 1)
  }

  @Test func childrenThatChangeTheirOwnerSettle() throws {
    let store = try WatchedStore(Series.self)
    let series = (0..<1_010).map { number in
      Series(
        id: number, title: "s", parts: [Part(code: "p\(number % 1_005)", title: "\(number)")])
    }
    try store.store.write { try $0.save(series) }

    let commits = store.commitCount
    let again = try store.store.write { try $0.save(series) }

    #expect(again.inserted + again.updated + again.linked + again.unlinked == 0)
    #expect(store.commitCount == commits)
    let owner = try store.store.fetch(ModelRequest<Part>().filter { $0.code == "p2" }).first?.show
    #expect(owner?.key == .int64(1_007))
  }
}

/// A model with two unique keys.
private struct Coded: MappedModel, Equatable {
  var code: String
  var slot: Int?
  var text: String

  static let mapping = Mapping(
    "Coded", Coded.init, .key("code", \.code, .unique), .key("slot", \.slot, .unique),
    .key("text", \.text))
}

/// A model whose unique key contains a Boolean.
private struct Setting: MappedModel, Equatable {
  var name: String
  var isLocal: Bool
  var text: String

  static let mapping = Mapping(
    "Setting", Setting.init, .key("name", \.name), .key("isLocal", \.isLocal),
    .key("text", \.text)
  )
  .identified(by: \.name, \.isLocal)
}

private struct OneTimeSequence<Element>: Sequence, IteratorProtocol {
  private final class Rest { var elements: ArraySlice<Element> = [] }
  private let rest = Rest()

  init(_ elements: [Element]) { rest.elements = elements[...] }

  func next() -> Element? { rest.elements.popFirst() }
}

/// A store that counts its commits.
private struct WatchedStore {
  private final class Counter: Sendable { let count = Mutex(0) }

  let store: ModelStore
  private let counter: Counter
  private let subscription: CommitSubscription

  init(_ model: any MappedModel.Type) throws {
    store = try emptyStore(model)
    (counter, subscription) = try store.observe({ _ in Counter() }) { counter, _, _ in
      counter.count.withLock { $0 += 1 }
    }
  }

  var commitCount: Int { counter.count.withLock { $0 } }
}
