import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ContextValidationTests {
  @Test func everythingThatIsWrongIsListedBeforeAnythingIsWritten() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let kept = try context.make("Podcast", ["title": "Crust", "feed": "a"])
    try context.make("Review", ["text": "good"]).setRelatedRow("podcast", to: kept)
    try context.save()
    let podcast = try context.make("Podcast", ["rating": 6, "feed": "a"])
    let long = try context.make("Podcast", ["title": String(repeating: "x", count: 21)])
    #expect(throws: MappingError.self) { try long.set("rating", to: 99_999) }
    #expect(throws: MappingError.self) { try long.set("rating", to: "9") }
    let review = try context.make("Review")
    try context.delete(kept)

    let failures = try #require(
      #expect(throws: RowValidationError.self) { try context.save() }?.failures)

    func keys(_ row: ManagedRow) -> [String] {
      failures.filter { $0.row == row.identity }.map { "\($0.kind) \($0.keys.joined())" }
    }
    #expect(keys(kept) == ["deletion denied reviews"])
    #expect(keys(podcast) == ["missing value title", "invalid value rating"])
    #expect(keys(long) == ["invalid value title"])
    #expect(keys(review) == ["missing value text", "missing relation podcast"])
    #expect(failures.count == 6)
    #expect(
      failures.first { $0.row == podcast.identity }?.description
        == "missing value: null, expected string - `title` of \(podcast.identity)"
    )
    #expect(try store.values("SELECT title FROM \"Podcast\"") == ["\"Crust\""])
  }

  @Test func uniqueValuesAreLookedForInTheContextAndInTheStore() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let podcast = try context.make("Podcast", ["title": "Crust", "feed": "a"])
    let other = try context.make("Podcast", ["title": "Mantle"])
    try context.save()
    try store.execute("INSERT INTO \"Podcast\" (title, feed) VALUES ('Core', 'c')")
    let episodes = try (0..<3).map { try context.make("Episode", ["title": "\($0)", "number": 1]) }
    try episodes[0].setRelatedRow("podcast", to: podcast)
    try episodes[1].setRelatedRow("podcast", to: podcast)
    try episodes[2].setRelatedRow("podcast", to: other)
    try other.set("feed", to: "c")
    let none = try (0..<2).map { try context.make("Podcast", ["title": "none \($0)"]) }

    let failures = try #require(
      #expect(throws: RowValidationError.self) { try context.save() }?.failures)

    #expect(failures.map(\.kind) == [.notUnique, .notUnique, .notUnique])
    #expect(
      failures.map(\.row) == [episodes[0], episodes[1], other].map(\.identity))
    #expect(failures[0].keys == ["number", "podcast"])
    #expect(
      failures[0].description.hasSuffix(" - `number`, `podcast` of \(episodes[0].identity)"))
    #expect(failures[2].description.hasSuffix(" - `feed` of \(other.identity)"))
    try episodes[1].set("number", to: 2)
    try other.set("feed", to: "d")
    try context.save()
    #expect(none.map(\.state) == [.unchanged, .unchanged])
  }

  @Test func rowsAreCountedWhetherTheyAreReadOrNot() throws {
    let store = try emptyStore(
      entities: Entity(
        "Team", attributes: [Attribute("name", .string)],
        relationships: [.toMany("players", "Player", inverse: "team", count: 1...2)]),
      Entity(
        "Player", attributes: [],
        relationships: [.toOne("team", "Team", inverse: "players")]))
    let first = EditingContext(store)
    let team = try first.make("Team", ["name": "a"])
    #expect(
      #expect(throws: RowValidationError.self) { try first.save() }?.failures.map(\.kind)
        == [.invalidCount])
    for _ in 0..<2 { try team.add(first.insert("Player"), to: "players") }
    try first.save()

    let context = EditingContext(store)
    let same = try context.row(team.identity)
    try context.insert("Player").setRelatedRow("team", to: same)
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.found) == ["3 rows"])
    context.rollback()
    for player in try same.relatedRows("players") { try player.setRelatedRow("team", to: nil) }
    #expect(throws: RowValidationError.self) { try context.save() }
  }

  @Test func mappingsRulesAreRules() throws {
    let store = try emptyStore(Rated.self)
    let context = EditingContext(store)
    let rows = try (0..<4).map { number in
      let row = try context.insert(Rated.self).row
      try row.set("name", to: number == 0 ? "" : "row \(number)")
      try row.set("stars", to: number == 1 ? 9 : 3)
      try row.set("kind", to: number == 2 ? "unheard of" : "free")
      return row
    }
    try rows[3].set("name", to: "five stars")

    let failures = try #require(
      #expect(throws: RowValidationError.self) { try context.save() }?.failures)

    #expect(failures.map(\.row) == rows.map(\.identity))
    #expect(failures.map(\.kind) == Array(repeating: .failedRule, count: 4))
    #expect(failures.map(\.keys) == [["name"], ["stars"], ["kind"], []])
    #expect(failures[0].expected == "text that is not empty")
    #expect(failures[3].description.hasSuffix(" - \(rows[3].identity)"))
  }

  @Test func aRuleSkipsLinkedRowsWithoutTheirKeys() throws {
    let store = try emptyStore(Pair.self)
    let context = EditingContext(store)
    let (first, second) = (try context.insert(Pair.self), try context.insert(Pair.self))
    try first.row.set("id", to: 1)
    try first.row.setRelatedRow("other", to: second.row)

    let error = #expect(throws: RowValidationError.self) { try context.save() }

    #expect(error?.failures.map(\.row) == [second.row.identity])
    #expect(error?.failures.map(\.kind) == [.missingValue])
    try second.row.set("id", to: 1)
    #expect(
      #expect(throws: RowValidationError.self) { try context.save() }?.failures.map(\.kind)
        .contains(.notUnique) == true)
    try second.row.set("id", to: 2)
    try context.save()
  }

  @Test func theIdentityOfAStoredRowStays() throws {
    let store = try emptyStore(Episode.self)
    try store.write { try $0.save(Episode.number(1)) }
    let context = EditingContext(store)
    let row = try #require(try context.fetch(ModelRequest<Episode>()).first)
    try row.set(\Episode.id, to: 2)
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.kind) == [.changedIdentity])
  }

  @Test(arguments: AttributeType.allCases)
  func valuesOfOtherTypesAreRefused(type: AttributeType) throws {
    let store = try emptyStore(entities: Entity("Row", attributes: [Attribute("value", type)]))
    let values: [FieldContent] = [
      .bool(true), .int64(40_000), .int64(3_000_000_000), .double(0.1), .double(.nan),
      .decimal(1), .string("x"), .string("not a uuid"), .data(.init([1])), .date(.distantPast),
      .array([.null]), .uint64(.max),
    ]
    for value in values {
      let context = EditingContext(store)
      let row = try context.insert("Row")
      do {
        try row.set("value", to: value)
      } catch let error as MappingError {
        #expect([.invalidType, .invalidValue].contains(error.code), "\(value) as \(type)")
        #expect(try row["value"] == .null)
        continue
      }
      do {
        try context.save()
      } catch let error as StoreError where type == .structured {
        // Databases that know JSON store no other text.
        #expect(error.code == .invalidValue)
        continue
      }
      let same = try EditingContext(store).fetch("Row").last
      #expect(try same?["value"] == row["value"], "\(value) as \(type)")
    }
  }
}

struct Rated: MappedModel {
  var name: String
  var stars: Int
  var kind: EpisodeKind

  static let mapping = Mapping<Rated>(
    "Rated", { Rated(name: $0, stars: $1, kind: $2) },
    .key("name", \.name), .key("stars", \.stars), .key("kind", \.kind)
  )
  .validating(\.name, "text that is not empty") { !$0.isEmpty }
  .validating(\.stars, "1 to 5 stars") { (1...5).contains($0) }
  .validating("as many stars as it says") { $0.name != "five stars" || $0.stars == 5 }
}

struct Pair: MappedModel {
  var id: Int
  var other: ModelReference<Pair>?

  static let mapping = Mapping(
    "Pair", Pair.init, .key("id", \.id, .unique), .toOne("other", \.other)
  )
  .validating("another row") { $0.other?.key != .int64(Int64($0.id)) }
}
