import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Item: MappedModel, Equatable {
  var id: Int
  var code: String
  var count: UInt64 = 0

  static let mapping = Mapping<Item>(
    "Item", Item.init,
    .key("id", \.id, .unique), .key("code", \.code), .key("count", \.count)
  )
  .validating(\.code, "text that is not empty") { !$0.isEmpty }
  .validating("a code other than the number") { $0.code != "\($0.id)" }
}

private struct Crate: MappedModel, Equatable {
  var id = 1
  var items: [Item] = []
  var main: Item?
  var parts: [Item] = []
  var part: Item?
  var named: [String: Item] = [:]

  static let mapping = Mapping(
    "Crate", Crate.init,
    .key("id", \.id, .unique),
    .toMany("items", \.items), .toOne("main", \.main),
    .key("parts", \.parts), .key("part", \.part), .key("named", \.named))
}

private struct Parcel: MappedModel, Equatable {
  var id = 1
  var parts: [Item] = []
  var part: Item?
  var named: [String: Item] = [:]

  static let mapping = Mapping(
    "Parcel", Parcel.init,
    .key("id", \.id, .unique), .key("parts", \.parts), .key("part", \.part),
    .key("named", \.named))
}

private struct Tag: MappedModel, Equatable {
  var id: Int
  var uses: Int

  static let mapping = Mapping<Tag>(
    "Tag", Tag.init, .key("id", \.id, .unique), .key("uses", \.uses)
  )
  .merging(\.uses) { stored, incoming in stored + incoming }
  .validating(\.uses, "at most 9") { $0 < 10 }
}

private struct Post: MappedModel, Equatable {
  var id: Int
  var tags: [Tag]

  static let mapping = Mapping(
    "Post", Post.init, .key("id", \.id, .unique), .toMany("tags", \.tags))
}

/// Tests that the error of a child has the same path in every API that writes
/// its parent.
@Suite(.allEngines) struct FailurePathTests {
  private static let empty = [Item(id: 1, code: "a"), Item(id: 2, code: "")]
  private static let equal = [Item(id: 1, code: "a"), Item(id: 2, code: "2")]

  private func paths(_ body: () throws -> Void) -> [String]? {
    do {
      try body()
      return nil
    } catch let error as MappingError {
      return error.errors.map { $0.path?.pointer ?? "none" }
    } catch {
      return ["\(error)"]
    }
  }

  private func expectEverywhere<Model: MappedModel>(
    _ model: Model, _ sound: Model, _ path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let store = try emptyStore(Crate.self, Parcel.self, Item.self)
    let context = EditingContext(store)
    let adapter = ManagedRowAdapter<Model>()
    let row = try adapter.row(from: sound, in: context)

    let found: [String: [String]?] = [
      "save": paths { _ = try store.write { try $0.save(model) } },
      "save one of a list": paths { _ = try store.write { try $0.save([sound, model]) } },
      "update": paths { _ = try store.write { try $0.update([Partial(sound), Partial(model)]) } },
      "row": paths { try adapter.row(from: model, in: context) },
      "one of several rows": paths { try adapter.rows(from: [sound, model], in: context) },
      "update row": paths { try adapter.update(row, from: Partial(model)) },
    ]

    let lists: Set = ["save one of a list", "update", "one of several rows"]
    for (way, paths) in found {
      let expected = lists.contains(way) ? "/1" + path : path
      #expect(paths == [expected], "\(way)", sourceLocation: sourceLocation)
    }
  }

  @Test func aRelatedModelThatFails() throws {
    for items in [Self.empty, Self.equal] {
      let key = items == Self.empty ? "/code" : ""
      try expectEverywhere(Crate(items: items), Crate(), "/items/1" + key)
      try expectEverywhere(Crate(main: items[1]), Crate(), "/main" + key)
    }
  }

  @Test func aModelInAColumnThatFails() throws {
    for items in [Self.empty, Self.equal] {
      let key = items == Self.empty ? "/code" : ""
      try expectEverywhere(Crate(parts: items), Crate(), "/parts/1" + key)
      try expectEverywhere(Crate(part: items[1]), Crate(), "/part" + key)
      try expectEverywhere(Crate(named: ["a": items[1]]), Crate(), "/named/a" + key)
      try expectEverywhere(Parcel(parts: items), Parcel(), "/parts/1" + key)
      try expectEverywhere(Parcel(part: items[1]), Parcel(), "/part" + key)
      try expectEverywhere(Parcel(named: ["a": items[1]]), Parcel(), "/named/a" + key)
    }
  }

  @Test func aRelatedModelThatFailsWhereItIsMerged() throws {
    let store = try emptyStore(Post.self, Tag.self)
    let post = Post(id: 1, tags: [Tag(id: 1, uses: 1), Tag(id: 2, uses: 10)])

    #expect(paths { _ = try store.write { try $0.save(post) } } == ["/tags/1/uses"])
    #expect(paths { _ = try store.write { try $0.save([post]) } } == ["/0/tags/1/uses"])
  }

  @Test func aRowWhoseModelInAColumnIsNotValid() throws {
    let store = try emptyStore(Parcel.self)
    try store.write { try $0.save(Parcel()) }
    let parts = #"[{"code":"a","count":0,"id":1},{"code":"","count":0,"id":2}]"#
    try store.execute("UPDATE \"Parcel\" SET parts = \(sqlLiteral(parts))")
    let row = try #require(try EditingContext(store).fetch("Parcel").first)

    // When reading, the path starts with the table and the identity of the row.
    #expect(
      paths { _ = try store.fetch(ModelRequest<Parcel>()) } == ["/Parcel/1/parts/1/code"])
    let found = [
      paths { _ = try ManagedRowAdapter<Parcel>().model(from: row) },
      paths { _ = try row[\Parcel.parts] },
      paths { _ = try row.value("parts", as: [Item].self) },
    ]

    #expect(found == Array(repeating: ["/parts/1/code"], count: 3))
  }
}
