import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Labels: MappedModel, Equatable {
  var note: String?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Labels", Labels.init, .key("note", \.note), .unknown("others", \.others))
}

/// The first version: an inlined model receives the unknown members.
private struct Card1: MappedModel, Equatable {
  var id: Int
  var labels: Labels

  static let mapping = Mapping(
    "Card", Card1.init, .key("id", \.id, .unique),
    .inlined("labels", \.labels, default: Labels(others: [:])))
}

/// The second version: more keys of the object, also inside objects and arrays.
private struct Card2: MappedModel, Equatable {
  var id: Int
  var x: String?
  var author: String?
  var second: String?
  var labels: Labels

  static let mapping = Mapping(
    "Card", Card2.init, .key("id", \.id, .unique), .key("x", \.x),
    .key("author", \.author, json: "meta.author"), .key("second", \.second, json: "tags[1]"),
    .inlined("labels", \.labels, default: Labels(others: [:])))
}

private struct Meta: MappedModel, Equatable {
  var author: String
  var others: JSONValue

  static let mapping = Mapping(
    "Meta", Meta.init, .key("author", \.author), .unknown("others", \.others))
}

private struct Post1: MappedModel, Equatable {
  var id: Int
  var meta: Meta?

  static let mapping = Mapping(
    "Post", Post1.init, .key("id", \.id, .unique), .inlined("meta", \.meta))
}

private struct Post2: MappedModel, Equatable {
  var id: Int
  var x: Int?
  var meta: Meta?

  static let mapping = Mapping(
    "Post", Post2.init, .key("id", \.id, .unique), .key("x", \.x), .inlined("meta", \.meta))
}

private struct Circle: MappedModel, Equatable {
  var radius: Int
  var rest: JSONValue

  static let mapping = Mapping(
    "Circle", Circle.init, .key("radius", \.radius), .unknown("rest", \.rest))
}

private struct Square: MappedModel, Equatable {
  var side: Int

  static let mapping = Mapping("Square", Square.init, .key("side", \.side))
}

private enum Shape: MappedModel, Equatable {
  case circle(Circle)
  case square(Square)

  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "kind",
    .variant("circle", Shape.circle) { if case .circle(let model) = $0 { model } else { nil } },
    .variant("square", Shape.square) { if case .square(let model) = $0 { model } else { nil } })
}

private struct Figure1: MappedModel, Equatable {
  var id: Int
  var shape: Shape

  static let mapping = Mapping(
    "Figure", Figure1.init, .key("id", \.id, .unique), .inlined("shape", \.shape))
}

private struct Figure2: MappedModel, Equatable {
  var id: Int
  var shape: Shape
  var note: String?

  static let mapping = Mapping(
    "Figure", Figure2.init, .key("id", \.id, .unique), .inlined("shape", \.shape),
    .key("note", \.note))
}

/// Unknown members that inlined models and variants receive, over versions.
@Suite(.allEngines) struct InlinedMemberMigrationTests {
  private func save<Model: MappedModel>(
    _ model: Model.Type, _ documents: String..., to database: MigratedStore
  ) throws {
    let adapter = JSONAdapter<Model>()
    try database.open(model).write {
      _ = try $0.save(documents.map { try adapter.model(from: $0) })
    }
  }

  private func documents<Model: MappedModel>(
    _ model: Model.Type, in store: ModelStore
  ) throws -> [JSONValue] {
    try store.fetch(ModelRequest<Model>()).map { try JSONAdapter<Model>().value(from: $0) }
      .map(\.withSortedMembers).sorted { "\($0)" < "\($1)" }
  }

  private func json(_ texts: String...) throws -> [JSONValue] {
    try texts.map { try JSONDocument(parsing: $0).value() ?? .null }.map(\.withSortedMembers)
  }

  @Test func newKeysTakeMembersThatAnInlinedModelReceived() throws {
    let database = try MigratedStore()
    let first = #"""
      {"id":1,"note":"n","x":"y","meta":{"author":"b","z":1},"tags":["a","b","c"],"w":2}
      """#
    try save(Card1.self, first, #"{"id":2,"w":{"v":1}}"#, to: database)

    let plan = try database.plan(Card2.self)
    let store = try database.open(Card2.self)

    #expect(plan.losses == [])
    #expect(
      plan.steps.last?.summary
        == "move unknown members of `Card` to `x`, `author`, `second`")
    let cards = try store.fetch(ModelRequest<Card2>().order(by: \.id))
    #expect(cards.map(\.x) == ["y", nil])
    #expect(cards.map(\.author) == ["b", nil] && cards.map(\.second) == ["b", nil])
    #expect(
      cards.first?.labels
        == Labels(note: "n", others: ["meta.z": 1, "tags[0]": "a", "tags[2]": "c", "w": 2]))
    #expect(try documents(Card2.self, in: store) == json(first, #"{"id":2,"w":{"v":1}}"#))
    try database.expectAsDeclared(Card2.self)
    #expect(try database.plan(Card2.self).isEmpty)

    let kept = MigrationPolicy.inferred(
      retainingAsUnknown: ["x", "author", "second"].map { .key($0, of: "Card") })
    let again = try database.open(Card1.self, with: MigrationOptions(policy: kept))
    #expect(try documents(Card1.self, in: again) == json(first, #"{"id":2,"w":{"v":1}}"#))
  }

  @Test func anOptionalModelLosesOnlyWhatAKeyCannotTake() throws {
    let database = try MigratedStore()
    try save(
      Post1.self, #"{"id":1,"author":"a","x":5,"y":6}"#, #"{"id":2}"#,
      #"{"id":3,"author":"b","x":"s"}"#, to: database)

    let plan = try database.plan(Post2.self)
    #expect(plan.losses.map { "\($0.part) \($0.count)" } == ["`Post.x` 1"])
    let error = #expect(throws: StoreError.self) { try database.open(Post2.self) }
    #expect(error?.code == .wouldLoseData)
    let store = try database.open(Post2.self, with: .discarding(.key("x", of: "Post")))

    #expect(
      try documents(Post2.self, in: store)
        == json(#"{"author":"a","id":1,"x":5,"y":6}"#, #"{"author":"b","id":3}"#, #"{"id":2}"#))
  }

  @Test func newKeysTakeMembersThatAVariantReceived() throws {
    let database = try MigratedStore()
    try save(
      Figure1.self, #"{"id":1,"kind":"circle","radius":2,"note":"n","x":1}"#,
      #"{"id":2,"kind":"square","side":3}"#, to: database)

    let store = try database.open(Figure2.self)

    let figures = try store.fetch(ModelRequest<Figure2>().order(by: \.id))
    #expect(figures.map(\.note) == ["n", nil])
    #expect(figures.first?.shape == .circle(Circle(radius: 2, rest: ["x": 1])))
    #expect(figures.last?.shape == .square(Square(side: 3)))
    try database.expectAsDeclared(Figure2.self)
  }
}
