import Campaigns
import Fixtures
import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextFetchTests {
  @Test func requestsSeeWhatIsNotSaved() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save((1...6).map { Episode.number($0, season: $0 % 3) }) }
    let context = EditingContext(store)
    let request = ModelRequest<Episode>().filter { $0.season == 1 }.order(by: \.title, .descending)

    let rows = try context.fetch(request)
    #expect(try rows.map { try $0[\Episode.id] } == [4, 1])
    try rows[0].set(\Episode.season, to: 2)
    let new = try context.insert(Episode.self)
    try new.set(\Episode.id, to: 9)
    try new.set(\Episode.title, to: "Episode 3b")
    try new.set(\Episode.season, to: 1)
    let other = try #require(try context.fetch(ModelRequest<Episode>().filter { $0.id == 6 }).first)
    try other.set(\Episode.season, to: 1)

    #expect(try context.fetch(request).map { try $0[\Episode.id] } == [6, 9, 1])
    #expect(try context.fetch(request.offset(1).limit(1)).map { try $0[\Episode.id] } == [9])
    try context.delete(other)
    #expect(try context.fetch(request.limit(2)).map { try $0[\Episode.id] } == [9, 1])
    #expect(try store.fetchCount(request) == 2)
    #expect(throws: StoreError.self) { try context.fetch(request.limit(-1)) }
    #expect(throws: StoreError.self) { try context.fetch("Unknown") }
  }

  /// A request returns the same rows before and after the changes are saved.
  @Test(arguments: 0..<Campaign.count(short: 4, full: 60))
  func requestsFindTheSameBeforeAndAfterSaving(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let store = try emptyStore(Episode.self)
    func season() -> Int? { random.one(of: [nil, 1, 2, 3]) }
    let titles = [
      "", "a", "B", "\u{e9}", "e\u{301}",
      TestedEngine.current.storesNullCharacters ? "z\0y" : "z\u{1}y", "z",
      "\u{1F600}",
    ]
    try store.write {
      for id in 1...12 {
        try $0.save(Episode.number(id, title: random.one(of: titles), season: season()))
      }
    }
    let context = EditingContext(store)
    for row in try context.fetch(ModelRequest<Episode>()) {
      switch random.below(4) {
      case 0: try context.delete(row)
      case 1: try row.set(\Episode.title, to: random.one(of: titles))
      case 2: try row.set(\Episode.season, to: season())
      default: break
      }
    }
    for id in 20..<23 {
      let row = try context.insert(Episode.self)
      try row.set(\Episode.id, to: id)
      try row.set(\Episode.title, to: random.one(of: titles))
      try row.set(\Episode.season, to: season())
      try row.set(\Episode.kind, to: .free)
      try row.set(\Episode.isPlayed, to: random.one(of: [true, false]))
      try row.set(\Episode.publishedAt, to: Date(timeIntervalSinceReferenceDate: Double(id)))
    }
    let text = random.one(of: titles)
    let all = ModelRequest<Episode>()
    let filters = [
      all, all.filter { $0.season >= 2 }, all.filter { $0.season == nil || $0.title == text },
      all.filter { !($0.title < text) && $0.season != 1 },
      all.filter { $0.season.isOne(of: [nil, 3]) || !$0.isPlayed },
      all.filter { $0.title.contains(text, [.caseInsensitive, .diacriticInsensitive]) },
    ]
    let requests = filters.flatMap { request in
      [request, request.order(by: \.title), request.order(by: \.season, .descending)]
    }.flatMap { [$0, $0.limit(3), $0.limit(2).offset(2), $0.offset(4)] }

    let before = try requests.map { try context.fetch($0).map { try $0[\Episode.id] } }
    try context.save()
    let after = try requests.map { try store.fetch($0).map(\.id) }

    for (index, (before, after)) in zip(before, after).enumerated() {
      #expect(before == after, "request \(index) of seed \(seed): \(requests[index])")
    }
  }

  @Test func requestsSeeWhatIsNotSavedOfRelatedRows() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcasts = try ["a", "b"].map { try context.make("Podcast", ["title": $0]) }
    let episodes = try ["1", "2", "3"].map { try context.make("Episode", ["title": $0]) }
    try podcasts[0].setRelatedRows("episodes", to: [episodes[0], episodes[1]])
    try podcasts[1].add(episodes[2], to: "episodes")
    let request = RowRequest("Episode").filter { $0["podcast"]["title"] == "a" }
    #expect(try context.fetch(request).texts("title") == ["1", "2"])
    try context.save()

    try podcasts[1].set("title", to: "a")
    #expect(try context.fetch(request).texts("title") == ["1", "2", "3"])
    try podcasts[0].set("title", to: "c")
    #expect(try context.fetch(request).texts("title") == ["3"])
    try episodes[1].setRelatedRow("podcast", to: podcasts[1])
    try episodes[2].setRelatedRow("podcast", to: nil)
    #expect(try context.fetch(request).texts("title") == ["2"])
    try context.delete(podcasts[1])
    #expect(try context.fetch(request) == [])
    context.rollback()

    #expect(try context.fetch(request).texts("title") == ["1", "2"])
  }

  @Test func unchangedRowsTakeTheValuesOfTheStore() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let guests = try ["Ada", "Bea"].map { try context.make("Guest", ["name": $0]) }
    try context.save()
    try store.execute("UPDATE \"Guest\" SET name = name || '!'")

    try guests[0].set("name", to: "Cleo")
    _ = try context.fetch("Guest")

    #expect(try guests.texts("name") == ["Cleo", "Bea!"])
    try context.refresh(guests[0], keepingChanges: true)
    #expect(try guests[0].committedValues == ["name": .string("Ada!")])
    #expect(try guests[0]["name"] == .string("Cleo"))
    try context.refresh(guests[0])
    #expect(try guests[0]["name"] == .string("Ada!"))
    #expect(guests[0].state == .unchanged)
    try store.execute("DELETE FROM \"Guest\"")
    let error = #expect(throws: StoreError.self) { try context.refresh(guests[0]) }
    #expect(error?.code == .rowNotFound)
    #expect(guests[0].state == .detached)
  }

  @Test func externalLinkChangesAppearAfterARefresh() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcasts = try ["one", "two"].map { try context.make("Podcast", ["title": $0]) }
    let episode = try context.make("Episode", ["title": "a"])
    try podcasts[0].add(episode, to: "episodes")
    try context.save()

    try store.execute("UPDATE \"Episode\" SET podcast = 2")
    _ = try context.fetch("Episode")

    #expect(try podcasts[0].relatedRows("episodes") == [])
    #expect(try podcasts[1].relatedRows("episodes") == [episode])
    #expect(!context.hasChanges)
  }

  @Test func rowsAreSortedAsTheyAreAfterSaving() throws {
    let store = try emptyStore(
      entities: Entity(
        "Child", attributes: [Attribute("id", .int64)], unique: [["id"]]),
      Entity("Parent", attributes: [], relationships: [.toMany("children", "Child")]))
    let context = EditingContext(store)
    let parent = try context.insert("Parent")
    func children(_ ids: [Int]) throws {
      for id in ids { try parent.add(context.make("Child", ["id": id]), to: "children") }
    }
    func ids() throws -> [[Int]] {
      try [context.fetch("Child"), parent.relatedRows("children")]
        .map { try $0.map { try $0.value("id", as: Int.self) } }
    }
    try children([3, 7])
    try context.save()
    try children([5, 1])

    #expect(try ids() == [[1, 3, 5, 7], [1, 3, 5, 7]])
    try context.save()
    #expect(try ids() == [[1, 3, 5, 7], [1, 3, 5, 7]])
    _ = try context.insert("Child")
    #expect(
      try context.fetch("Child").map(\.state) == [
        .unchanged, .unchanged, .unchanged, .unchanged, .inserted,
      ])
  }
}
