import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests inferred migrations of attributes.
@Suite(.allEngines) struct InferredKeyMigrationTests {
  private let database: MigratedStore

  init() throws { database = try MigratedStore() }

  private func show(_ attributes: Attribute...) -> Entity {
    Entity("Show", attributes: attributes)
  }

  @Test func keysThatAreNewHaveTheirDefault() throws {
    try database.open(show(Attribute("a", .string)))
    try database.execute(
      #"INSERT INTO "Show" (_moho_id, a) VALUES (5, 'x'), (-9, 'y'), (\#(Int64.max), 'z')"#)
    let new = show(
      Attribute("none", .int64, isOptional: true), Attribute("a", .string),
      Attribute("count", .int16, default: .int64(7)),
      Attribute("text", .string, default: .string("it's")),
      Attribute("flag", .boolean, default: .bool(true)))

    try database.open(new)

    try database.expectAsDeclared(new)
    #expect(
      try database.values(
        #"""
        SELECT _moho_id, none, a, "count", text = 'it''s', flag FROM "Show" ORDER BY _moho_id
        """#) == [
          #"-9|NULL|"y"|7|1|1"#, #"5|NULL|"x"|7|1|1"#, #"\#(Int64.max)|NULL|"z"|7|1|1"#,
        ])
  }

  @Test func aModelsDefaultIsTheValueOfRowsThatAreOlder() throws {
    struct Old: MappedModel {
      var id: Int
      static let mapping = Mapping("M", Old.init, .key("id", \.id, .unique))
    }
    struct New: MappedModel, Equatable {
      var id: Int
      var kind: EpisodeKind
      var at: Date
      static let mapping = Mapping(
        "M", New.init, .key("id", \.id, .unique), .key("kind", \.kind, default: .paid),
        .key("at", \.at, default: Date(timeIntervalSinceReferenceDate: 60)))
    }
    try database.open(Old.self).write { try $0.save(Old(id: 3)) }

    let store = try database.open(New.self)

    #expect(
      try store.fetch(ModelRequest<New>())
        == [New(id: 3, kind: .paid, at: Date(timeIntervalSinceReferenceDate: 60))])
    // The column has no default: models always write their values.
    try database.expectAsDeclared(New.self)
    #expect(throws: (any Error).self) { try store.execute(#"INSERT INTO "M" (id) VALUES (1)"#) }
  }

  @Test func defaultsWithStructureAreTheValuesOfRowsThatAreOlder() throws {
    struct Point: MappedModel, Hashable {
      var x: Int
      var at: Date
      static let mapping = Mapping("Point", Point.init, .key("x", \.x), .key("at", \.at))
    }
    struct Mark: Codable, Hashable {
      var color: String
    }
    struct Old: MappedModel {
      var id: Int
      static let mapping = Mapping("M", Old.init, .key("id", \.id, .unique))
    }
    struct New: MappedModel, Equatable {
      var id = 3
      var words = ["it's", "\"b\""]
      var none: [String] = []
      var set: Set<Int> = [1, 2]
      var counts = ["a": 1]
      var point = Point(x: 1, at: Date(timeIntervalSinceReferenceDate: 60))
      var points: [Point] = []
      var mark = Mark(color: "red")
      var ownFunctions = ["c"]
      static let mapping = Mapping(
        "M", New.init, .key("id", \.id, .unique), .key("words", \.words, default: New().words),
        .key("none", \.none, default: []), .key("set", \.set, default: New().set),
        .key("counts", \.counts, default: New().counts),
        .key("point", \.point, default: New().point), .key("points", \.points, default: []),
        .key("mark", \.mark, .codable, default: New().mark),
        .key(
          "ownFunctions", \.ownFunctions,
          Transform<[String]>(
            .array, samples: [["a"]],
            read: { try [String].decode(from: $0, at: $1) },
            write: { try $0.encode(to: $1, at: $2) }),
          default: New().ownFunctions))
    }
    try database.open(Old.self).write { try $0.save(Old(id: 3)) }

    let plan = try database.plan(New.self)
    let store = try database.open(New.self)

    #expect(plan.losses == [])
    #expect(try store.fetch(ModelRequest<New>()) == [New()])
    let result = try store.write { try $0.save(New()) }
    #expect(result.unchanged == 1)
    try database.expectAsDeclared(New.self)
  }

  @Test func aRequiredKeyWithoutADefaultIsRefusedUnlessThereAreNoRows() throws {
    let new = show(Attribute("a", .string), Attribute("b", .string))
    try database.open(show(Attribute("a", .string)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x')"#)

    let error = #expect(throws: StoreError.self) { try database.open(new) }

    #expect(error?.code == .incompatibleSchema)
    #expect(error?.keys == ["b"])
    #expect(
      error?.suggestion == "declare a default for `Show.b`, or a migration that sets its values")
    #expect(try database.values(#"SELECT * FROM "Show""#) == [#"1|"x""#])
    try database.execute(#"DELETE FROM "Show""#)
    try database.open(new)
    try database.expectAsDeclared(new)
  }

  @Test func anOptionalKeyBecomesRequiredByItsDefault() throws {
    try database.open(show(Attribute("a", .string, isOptional: true)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x'), (NULL)"#)
    let new = show(Attribute("a", .string, default: .string("none")))

    try database.open(new)

    try database.expectAsDeclared(new)
    #expect(try database.values(#"SELECT a FROM "Show""#) == [#""x""#, #""none""#])
  }

  @Test func anOptionalKeyWithoutADefaultBecomesRequiredIfNoValueIsMissing() throws {
    try database.open(show(Attribute("a", .string, isOptional: true)))
    try database.execute(#"INSERT INTO "Show" (_moho_id, a) VALUES (1, 'x'), (2, NULL)"#)
    let new = show(Attribute("a", .string))

    let error = #expect(throws: StoreError.self) { try database.open(new) }
    #expect(error?.code == .missingValue)
    #expect(error?.keys == ["a"])
    #expect(try database.values(#"SELECT a FROM "Show""#) == [#""x""#, "NULL"])

    try database.execute(#"UPDATE "Show" SET a = 'y' WHERE _moho_id = 2"#)
    try database.open(new)
    try database.expectAsDeclared(new)
  }

  @Test func aRequiredKeyBecomesOptional() throws {
    try database.open(show(Attribute("a", .string)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x')"#)
    let new = show(Attribute("a", .string, isOptional: true))

    try database.open(new)

    try database.expectAsDeclared(new)
    try database.execute(#"INSERT INTO "Show" (a) VALUES (NULL)"#)
  }

  @Test func aKeyWithValuesIsThrownAwayOnlyIfAllowed() throws {
    let new = show(Attribute("a", .string))
    try database.open(show(Attribute("a", .string), Attribute("b", .string, isOptional: true)))
    try database.execute(#"INSERT INTO "Show" (a, b) VALUES ('x', 'y'), ('z', NULL)"#)

    let error = #expect(throws: StoreError.self) { try database.open(new) }

    #expect(error?.code == .wouldLoseData)
    #expect(error?.entity == "Show")
    #expect(error?.keys == ["b"])
    #expect(error?.reason == "`Show.b` has 1 value")
    #expect(error?.differences.map(\.change) == [.removed])
    #expect(try database.values(#"SELECT b FROM "Show""#) == [#""y""#, "NULL"])

    try database.open(new, with: .discarding(.key("b", of: "Show")))
    try database.expectAsDeclared(new)
    #expect(try database.values(#"SELECT a FROM "Show""#) == [#""x""#, #""z""#])
  }

  @Test func aKeyOfARenamedEntityIsThrownAwayOnlyIfAllowed() throws {
    let old = Entity(
      "Show", attributes: [Attribute("a", .string), Attribute("b", .string, isOptional: true)],
      relationships: [.toMany("links", "Show")])
    let new = Entity("New", attributes: [Attribute("a", .string)], renamedFrom: "Show")
    try database.open(old)
    try database.execute(
      #"""
      INSERT INTO "Show" VALUES (1, 'x', 'y'), (2, 'z', NULL);
      INSERT INTO "_moho_Show_links" VALUES (1, 1), (1, 2)
      """#)
    let losses = ["`New.b` has 1 value", "`New.links` has 2 values"]
    let before = try database.contents()

    let plan = try database.plan(new)
    let error = #expect(throws: StoreError.self) { try database.open(new) }

    #expect(plan.losses.map(\.description) == losses)
    #expect(error?.code == .wouldLoseData)
    #expect(error?.keys == ["b", "links"])
    #expect(error?.reason == losses.joined(separator: "; "))
    #expect(try database.contents() == before)

    try database.open(new, with: .discarding(.key("b", of: "New"), .key("links", of: "New")))
    try database.expectAsDeclared(new)
    #expect(try database.values(#"SELECT a FROM "New""#) == [#""x""#, #""z""#])
  }

  @Test func aKeyThatIsPerhapsRenamedIsSuggested() throws {
    try database.open(show(Attribute("a", .string)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x')"#)

    let lost = #expect(throws: StoreError.self) {
      try database.open(show(Attribute("b", .string, isOptional: true)))
    }
    let refused = #expect(throws: StoreError.self) {
      try database.open(show(Attribute("b", .string)))
    }
    let several = #expect(throws: StoreError.self) {
      try database.open(
        show(Attribute("b", .string, isOptional: true), Attribute("c", .string, isOptional: true)))
    }

    let advice = "if `Show.a` was renamed to `b`, declare a `Renaming`; "
    #expect(lost?.code == .wouldLoseData)
    #expect(lost?.suggestion?.hasPrefix(advice) == true)
    #expect(refused?.code == .incompatibleSchema)
    #expect(refused?.suggestion?.hasPrefix(advice) == true)
    #expect(
      several?.suggestion?.hasPrefix("if `Show.a` was renamed, declare a `Renaming`; ") == true)
  }

  @Test func aKeyWithoutValuesIsDropped() throws {
    try database.open(show(Attribute("a", .string), Attribute("b", .string, isOptional: true)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('x')"#)

    try database.open(show(Attribute("a", .string)))

    try database.expectAsDeclared(show(Attribute("a", .string)))
  }

  @Test func aModelsKeysAreRenamedByTheConfiguration() throws {
    struct Old: MappedModel {
      var id: Int
      var headline: String
      static let mapping = Mapping(
        "Old", Old.init, .key("id", \.id, .unique), .key("headline", \.headline, .indexed))
    }
    struct New: MappedModel, Equatable {
      var id: Int
      var title: String
      static let mapping = Mapping(
        "New", New.init, .key("id", \.id, .unique), .key("title", \.title, .indexed))
    }
    try database.open(Old.self).write { try $0.save(Old(id: 1, headline: "h")) }
    let renamings = [
      Renaming(New.self, from: "Old"), Renaming(\New.title, from: "headline"),
    ]

    let store = try database.open(New.self, with: MigrationOptions(renamings: renamings))

    try database.expectAsDeclared(New.self)
    #expect(try store.fetch(ModelRequest<New>()) == [New(id: 1, title: "h")])
  }

  @Test func anotherTypeIsRefusedUnlessThereAreNoRows() throws {
    let new = show(Attribute("a", .int64))
    try database.open(show(Attribute("a", .string)))
    try database.execute(#"INSERT INTO "Show" (a) VALUES ('12')"#)

    let error = #expect(throws: StoreError.self) { try database.open(new) }
    #expect(error?.code == .incompatibleSchema)
    #expect(error?.differences.map(\.key) == ["a"])
    guard case .type? = error?.differences.first?.change else {
      Issue.record("\(String(describing: error))")
      return
    }

    try database.execute(#"DELETE FROM "Show""#)
    try database.open(new)
    try database.expectAsDeclared(new)
  }
}
