import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Note1: MappedModel, Equatable {
  var id: Int
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Note1.init, .key("id", \.id, .unique), .unknown("others", \.others))
}

private struct Priced: MappedModel, Equatable {
  var id: Int
  var amount: Double?
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Priced.init, .key("id", \.id, .unique), .key("amount", \.amount),
    .unknown("others", \.others))
}

private struct Exact: MappedModel, Equatable {
  var id: Int
  var amount: Decimal?
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Exact.init, .key("id", \.id, .unique), .key("amount", \.amount),
    .unknown("others", \.others))
}

/// A key at a name with other bytes than those of another member.
private struct Accented: MappedModel, Equatable {
  var id: Int
  var accent: Int?
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Accented.init, .key("id", \.id, .unique), .key("accent", \.accent, json: "\u{e9}"),
    .unknown("others", \.others))
}

private struct Range: MappedModel, Equatable {
  var location: Int?
  var length: Int?

  static let mapping = Mapping(
    "Range", Range.init, .key("location", \.location, json: "location", alternatives: ["loc"]),
    .key("length", \.length))
}

private struct Ranged: MappedModel, Equatable {
  var id: Int
  var range: Range?
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Ranged.init, .key("id", \.id, .unique), .inlined("range", \.range),
    .unknown("others", \.others))
}

private struct Circle: MappedModel, Equatable {
  var radius: Int

  static let mapping = Mapping("Circle", Circle.init, .key("radius", \.radius))
}

private struct Square: MappedModel, Equatable {
  var side: Int

  static let mapping = Mapping("Square", Square.init, .key("side", \.side, json: "size.side"))
}

private enum Shape: MappedModel, Equatable {
  case circle(Circle)
  case square(Square)

  static let mapping = Mapping<Shape>(
    "Shape", discriminator: "kind",
    .variant("circle", Shape.circle) { if case .circle(let model) = $0 { model } else { nil } },
    .variant("square", Shape.square) { if case .square(let model) = $0 { model } else { nil } })
}

private struct Shaped: MappedModel, Equatable {
  var id: Int
  var shape: Shape?
  var others: JSONValue

  static let mapping = Mapping(
    "Note", Shaped.init, .key("id", \.id, .unique), .inlined("shape", \.shape),
    .unknown("others", \.others))
}

/// Members that are lost when keys take them, and members that are not.
@Suite(.allEngines) struct LostMemberMigrationTests {
  private func save(_ documents: String..., to database: MigratedStore) throws {
    let adapter = JSONAdapter<Note1>()
    try database.open(Note1.self).write {
      _ = try $0.save(documents.map { try adapter.model(from: $0) })
    }
  }

  @Test func aNumberThatFoundationCannotRepresentIsALoss() throws {
    let database = try MigratedStore()
    try save(
      #"{"id":1,"amount":1e-400,"b":1}"#, #"{"id":2,"amount":3}"#,
      #"{"id":3,"amount":1e-400,"c":[1e-400]}"#, to: database)
    let before = try database.contents()

    let plan = try database.plan(Priced.self)
    let error = #expect(throws: StoreError.self) { try database.open(Priced.self) }

    #expect(plan.losses.map { "\($0.part) \($0.count)" } == ["`Note.amount` 2"])
    #expect(error?.code == .wouldLoseData)
    #expect(error?.keys == ["amount"])
    #expect(try database.contents() == before)
    let store = try database.open(Priced.self, with: .discarding(.key("amount", of: "Note")))
    let notes = try store.fetch(ModelRequest<Priced>().order(by: \.id))
    #expect(notes.map(\.amount) == [nil, 3, nil])
    #expect(notes.first?.others == ["b": 1])
    #expect(notes.last.map { "\($0.others)" } == #"{"c":[1e-400]}"#)
  }

  @Test func digitsThatADecimalDoesNotHaveAreALoss() throws {
    let database = try MigratedStore()
    let digits = "0." + String(repeating: "7", count: 45)
    try save(#"{"id":1,"amount":\#(digits)}"#, #"{"id":2,"amount":0.25}"#, to: database)

    let plan = try database.plan(Exact.self)

    #expect(plan.losses.map { "\($0.part) \($0.count)" } == ["`Note.amount` 1"])
    let store = try database.open(Exact.self, with: .discarding(.key("amount", of: "Note")))
    #expect(
      try store.fetch(ModelRequest<Exact>().order(by: \.id)).map(\.amount)
        == [nil, Decimal(string: "0.25")])
  }

  @Test func aKeyTakesTheMemberWithTheBytesOfItsName() throws {
    let database = try MigratedStore()
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try save(
      "{\"id\":1,\"\(composed)\":1,\"\(decomposed)\":2}", "{\"id\":2,\"\(decomposed)\":3}",
      to: database)

    let plan = try database.plan(Accented.self)
    let store = try database.open(Accented.self)

    #expect(plan.losses == [])
    let notes = try store.fetch(ModelRequest<Accented>().order(by: \.id))
    #expect(notes.map(\.accent) == [1, nil])
    #expect(
      notes.map(\.others) == [
        .object([JSONValue.Member(decomposed, 2)]), .object([JSONValue.Member(decomposed, 3)]),
      ])
  }

  @Test func anInlinedModelTakesAMemberAtAnAlternativePath() throws {
    let database = try MigratedStore()
    try save(#"{"id":1,"loc":3,"x":1}"#, #"{"id":2,"location":4,"length":5}"#, to: database)

    let plan = try database.plan(Ranged.self)
    let store = try database.open(Ranged.self)

    #expect(plan.losses == [])
    let notes = try store.fetch(ModelRequest<Ranged>().order(by: \.id))
    #expect(notes.map(\.range) == [Range(location: 3), Range(location: 4, length: 5)])
    #expect(notes.map(\.others) == [["x": 1], [:]])
  }

  @Test func aMemberAtThePathOfAnotherVariantStaysUnknown() throws {
    let database = try MigratedStore()
    try save(
      #"{"id":1,"kind":"circle","radius":2,"size":{"side":3},"x":1}"#, #"{"id":2,"x":1}"#,
      to: database)

    let plan = try database.plan(Shaped.self)
    let store = try database.open(Shaped.self)

    #expect(plan.losses == [])
    let notes = try store.fetch(ModelRequest<Shaped>().order(by: \.id))
    #expect(notes.map(\.shape) == [.circle(Circle(radius: 2)), nil])
    #expect(notes.first?.others == ["x": 1, "size": ["side": 3]])
    #expect(
      try notes.first.map { try JSONAdapter<Shaped>().value(from: $0).withSortedMembers }
        == JSONDocument(
          parsing: #"{"id":1,"kind":"circle","radius":2,"size":{"side":3},"x":1}"#
        ).value()?.withSortedMembers)
  }
}
