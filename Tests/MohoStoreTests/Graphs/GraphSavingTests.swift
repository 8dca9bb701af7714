import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Two models with a one-to-one relationship. One end is a nested model, the
/// other one a reference.
private struct Person: MappedModel, Equatable {
  var name: String
  var passport: Passport?

  static let mapping = Mapping(
    "Person", Person.init,
    .key("name", \.name, .unique),
    .toOne("passport", \.passport, inverse: "holder"))
}

private struct Passport: MappedModel, Equatable {
  var number: String
  var holder: ModelReference<Person>?

  static let mapping = Mapping(
    "Passport", Passport.init,
    .key("number", \.number, .unique),
    .toOne("holder", \.holder, inverse: "passport"))
}

/// A model whose rows form a cycle of required links.
private struct Ring: MappedModel, Equatable {
  var name: String
  var next: ModelReference<Ring>

  static let mapping = Mapping(
    "Ring", Ring.init, .key("name", \.name, .unique),
    .toOne("next", \.next, whenThisIsDeleted: .noAction))
}

private struct Coin: MappedModel, Equatable {
  var value: Decimal

  static let mapping = Mapping("Coin", Coin.init, .key("value", \.value, .unique))
}

/// A model with references by decimals.
private struct Purse: MappedModel, Equatable {
  var id: Int
  var coins: [ModelReference<Coin>]

  static let mapping = Mapping(
    "Purse", Purse.init, .key("id", \.id, .unique), .toMany("coins", \.coins))
}

@Suite(.allEngines) struct GraphSavingTests {
  @Test func whatContainsAModelSaysWhereItIsLinked() throws {
    let store = try emptyStore(Series.self)
    let part = Part(code: "a", title: "A", show: try ModelReference(key: 2))

    try store.write { writer in
      try writer.save([Series(id: 2, title: "Two"), Series(id: 1, title: "One", parts: [part])])
    }

    #expect(try store.fetchFirst(ModelRequest<Part>())?.show?.key == .int64(1))
  }

  @Test func referencesInAListMayBeDecimals() throws {
    let store = try emptyStore(Purse.self, Coin.self)
    let coins = [Coin(value: 2), Coin(value: Decimal(string: "0.5") ?? 0)]
    let purse = Purse(id: 1, coins: try coins.map { try ModelReference(to: $0) })

    try store.write { writer in
      try writer.save(coins)
      try writer.save(purse)
    }

    #expect(try store.fetchFirst(ModelRequest<Purse>()) == purse)
  }

  @Test func rowsMayReferToEachOtherInACircle() throws {
    let store = try emptyStore(Ring.self)
    let ring = try ["b", "c", "a"].enumerated().map { index, next in
      Ring(name: ["a", "b", "c"][index], next: try ModelReference(key: next))
    }

    let first = try store.write { try $0.save(ring) }
    let again = try store.write { try $0.save(ring) }

    #expect(first == SaveReport(inserted: 3))
    #expect(again == SaveReport(unchanged: 3))
    #expect(try store.fetch(ModelRequest<Ring>().order(by: \.name)) == ring)
    #expect(try store.plan(saving: ring).isEmpty)
    let moved = Ring(name: "a", next: try ModelReference(key: "a"))
    #expect(try store.write { try $0.save(moved) } == SaveReport(updated: 1))
  }

  @Test func treesOfAnyOrderAreSaved() throws {
    let store = try emptyStore(Topic.self)
    let topics = [
      Topic(name: "leaf", parent: try ModelReference(key: "branch")),
      Topic(name: "branch", parent: try ModelReference(key: "root")), Topic(name: "root"),
    ].map { topic in
      var topic = topic
      topic.children = []
      return topic
    }
    var withoutChildren = Partial<Topic>()
    withoutChildren[\.name] = "leaf"

    // Saving empty children would remove the links again.
    try store.write { writer in
      try writer.save(topics.map { Topic(name: $0.name) })
      for topic in topics {
        var change = Partial<Topic>()
        change[\.name] = topic.name
        change[\.parent] = .some(topic.parent)
        try writer.update([change])
      }
    }

    let root = try store.fetchFirst(ModelRequest<Topic>().filter { $0.name == "root" })
    #expect(root?.children.first?.children.first?.name == "leaf")
  }

  @Test func onlyOneRowHasALinkOfOneToOne() throws {
    let store = try emptyStore(Person.self)
    let people = ["a", "b"].map { Person(name: $0, passport: Passport(number: "of \($0)")) }
    try store.write { try $0.save(people) }
    let exchanged = [
      Person(name: "a", passport: Passport(number: "of b")),
      Person(name: "b", passport: Passport(number: "of a")),
    ]

    try store.write { try $0.save(exchanged) }

    let read = try store.fetch(ModelRequest<Person>().order(by: \.name))
    #expect(read.map { $0.passport?.number } == ["of b", "of a"])
    #expect(read.map { $0.passport?.holder?.key } == [.string("a"), .string("b")])
    #expect(try store.plan(saving: exchanged).isEmpty)

    try store.write { try $0.save(Passport(number: "of b", holder: try ModelReference(key: "b"))) }
    let held = try store.fetch(ModelRequest<Person>().order(by: \.name))
    #expect(held.map { $0.passport?.number } == [nil, "of b"])
  }

  @Test func aReferenceToNothingIsNamed() throws {
    let store = try emptyStore(Series.self)
    func error(_ show: Series) -> StoreError? {
      #expect(throws: StoreError.self) { try store.write { try $0.save([show]) } }
    }

    let byText = error(Series(id: 1, title: "", opening: try ModelReference(key: "x")))
    let byNumber = error(Series(id: 1, title: "", related: [try ModelReference(key: 77)]))

    #expect(byText?.code == .danglingReference)
    #expect(byText?.subject == "`Series.opening` of `Series` 1")
    #expect(byText?.keys == ["opening"])
    #expect(byText?.reason == "no `Part` \"x\" is stored")
    #expect(byNumber?.code == .danglingReference)
    #expect(byNumber?.reason == "`Series.related` refers to `Series` 77, which does not exist")
    #expect(try store.count("Series") == 0)
  }

  @Test func aReferenceByNumberMayBeAheadOfItsRow() throws {
    let store = try emptyStore(Series.self)

    try store.write { writer in
      try writer.save(Part(code: "a", title: "A", show: try ModelReference(key: 5)))
      try writer.save(Part(code: "b", title: "B", show: try ModelReference(key: 5)))
      var change = Partial<Series>()
      change[\.id] = 5
      try writer.save(Series(id: 5, title: "Five", parts: []))
      try writer.save(Part(code: "a", title: "A", show: try ModelReference(key: 5)))
    }

    #expect(try store.fetchFirst(ModelRequest<Series>())?.parts.map(\.code) == ["a"])
  }

  @Test func aNumberOfModelsThatIsNotAllowedIsRefused() throws {
    struct Pair: MappedModel {
      var id: Int
      var guests: [Guest]
      static let mapping = Mapping(
        "Pair", Pair.init, .key("id", \.id, .unique), .toMany("guests", \.guests, count: 1...2))
    }
    let store = try emptyStore(Pair.self)

    for count in 0...3 {
      let pair = Pair(id: 1, guests: (0..<count).map { Guest(name: "\($0)") })
      let isAllowed = (try? store.write { try $0.save(pair) }) != nil
      #expect(isAllowed == (1...2).contains(count), "\(count)")
    }
  }

  @Test func keysAreComparedByTheirBytes() throws {
    let store = try emptyStore(Series.self)
    let null = TestedEngine.current.storesNullCharacters ? "\0" : "\u{1}"
    let names = ["é", "e\u{301}", "", "a\(null)", "a\(null)b", "A", "a"]
    let show = Series(id: 1, title: "", guests: [], related: [])
    let parts = names.map { Part(code: $0, title: $0, speaker: Guest(name: $0)) }
    var full = show
    full.parts = parts

    try store.write { try $0.save(full) }

    #expect(try store.count("Part") == names.count)
    #expect(try store.count("Guest") == names.count)
    let read = try #require(try store.fetchFirst(ModelRequest<Series>()))
    #expect(read.parts.map { Array($0.code.utf8) } == names.map { Array($0.utf8) })
    #expect(
      read.parts.map { Array($0.speaker?.name.utf8 ?? "none".utf8) } == names.map { Array($0.utf8) }
    )
    #expect(try store.plan(saving: [full]).isEmpty)
  }

  @Test func mergesOfOneCallFollowOneAnother() throws {
    struct Play: MappedModel, Equatable {
      var code: String
      var count: Int
      static let mapping = Mapping<Play>(
        "Play", Play.init, .key("code", \.code, .unique), .key("count", \.count)
      )
      .merging(\.count) { $0 + $1 }
    }
    struct Log: MappedModel {
      var id: Int
      var plays: [Play]
      static let mapping = Mapping(
        "Log", Log.init, .key("id", \.id, .unique), .toMany("plays", \.plays))
    }
    let store = try emptyStore(Log.self)
    let plays = (0..<700).map { Play(code: "\($0 % 350)", count: 1) }

    for round in 1...2 {
      try store.write { try $0.save(plays) }
      let stored = try store.fetch(ModelRequest<Play>())
      #expect(stored.allSatisfy { $0.count == 2 * round } && stored.count == 350)
    }
    try store.write { try $0.save([Log(id: 1, plays: [Play(code: "0", count: 10)])]) }
    #expect(
      try store.fetchFirst(ModelRequest<Play>().filter { $0.code == "0" })?.count == 14)
  }

  @Test func aFlatCallIsAllOrNothing() throws {
    let store = try emptyStore(Price.self)

    try store.write { writer in
      try writer.save(Price(id: 9, amount: 9))
      let error = #expect(throws: MappingError.self) {
        _ = try writer.save([Price(id: 1, amount: 1), Price(id: 2, amount: 2, rate: .nan)])
      }
      #expect(error?.key == "rate")
    }

    #expect(try store.fetch(ModelRequest<Price>()).map(\.id) == [9])
  }
}
