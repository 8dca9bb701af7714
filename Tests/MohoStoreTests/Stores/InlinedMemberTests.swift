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

private struct Span: MappedModel, Equatable {
  var length: Int?

  static let mapping = Mapping("Span", Span.init, .key("length", \.length, json: "size.length"))
}

/// Keys inside objects and arrays whose unknown members an inlined model receives.
private struct Card: MappedModel, Equatable {
  var id: Int
  var title: String?
  var second: String?
  var span: Span
  var labels: Labels

  static let mapping = Mapping(
    "Card", Card.init, .key("id", \.id, .unique), .key("title", \.title, json: "meta.title"),
    .key("second", \.second, json: "tags[1]"), .inlined("span", \.span, default: Span()),
    .inlined("labels", \.labels, default: Labels(others: [:])))
}

@Suite(.allEngines) struct InlinedMemberTests {
  private let adapter = JSONAdapter<Card>()

  private func card(_ json: String) throws -> Card { try adapter.model(from: json) }

  @Test func fetchedModelsHaveTheNamesOfUnknownMembersInDocuments() throws {
    let store = try emptyStore(Card.self)
    let cards = try [
      card(#"{"id":1,"meta":{"title":"t","x":1,"y":{"z":null}},"tags":["a","b",null,"d"]}"#),
      card(#"{"id":2,"meta":{"x":1},"size":{"length":3,"unit":"m"},"note":"n","w":[1]}"#),
      card(#"{"id":3,"tags":[null,null,"c"],"size":{"unit":null}}"#), card(#"{"id":4}"#),
    ]

    try store.write { _ = try $0.save(cards) }

    let fetched = try store.fetch(ModelRequest<Card>().order(by: \.id))
    #expect(fetched == cards)
    #expect(
      fetched.first?.labels.others
        == ["meta.x": 1, "meta.y": ["z": nil], "tags[0]": "a", "tags[3]": "d"])
    #expect(
      try fetched.map { try adapter.text(from: $0) } == cards.map { try adapter.text(from: $0) })
    #expect(try store.write { try $0.save(fetched) } == SaveReport(unchanged: 4))
    let context = EditingContext(store)
    let rows = try context.fetch(ModelRequest<Card>().order(by: \.id))
    #expect(try rows.map { try $0.model() } == cards)
  }

  @Test func patchesChangeUnknownMembersInObjectsOfOtherKeys() throws {
    let store = try emptyStore(Card.self)
    let old = try card(#"{"id":1,"meta":{"title":"t","x":1,"y":2},"tags":["a","b"]}"#)
    try store.write { _ = try $0.save(old) }

    let patch = try adapter.partial(from: #"{"id":1,"meta":{"x":null,"z":3}}"#)
    try store.write { _ = try $0.update([patch]) }

    let new = try card(#"{"id":1,"meta":{"title":"t","y":2,"z":3},"tags":["a","b"]}"#)
    #expect(try store.fetch(ModelRequest<Card>()) == [new])
  }
}
