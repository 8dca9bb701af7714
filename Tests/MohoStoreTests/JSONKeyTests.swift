import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Event: MappedModel, Equatable {
  var id: Int
  var payload: JSONValue
  var note: JSONValue?
  var others: JSONValue

  static let mapping = Mapping(
    "Event", Event.init,
    .key("id", \.id, .unique), .key("payload", \.payload), .key("note", \.note),
    .unknown("others", \.others))
}

@Suite(.allEngines) struct JSONKeyTests {
  @Test func anyJSONIsTextInARow() throws {
    let store = try emptyStore(Event.self)
    let models = [
      Event(id: 1, payload: ["b": 1, "a": [.null]], note: nil, others: ["z": 1, "a.b": [2]]),
      Event(id: 2, payload: .null, note: "x", others: [:]),
      Event(id: 3, payload: 5, note: .bool(true), others: ["y": .null]),
    ]

    try store.write { try $0.save(models) }
    let report = try store.write { try $0.save(models) }

    #expect(try store.fetch(ModelRequest<Event>().order(by: \.id)) == models)
    #expect(report == SaveReport(unchanged: 3))
  }

  @Test func whatADocumentHoldsComesBackFromTheStore() throws {
    let store = try emptyStore(Event.self)
    let json = #"{"id":1,"payload":{"b":1,"a":2},"mood":{"x":[1]},"a.b":null}"#
    let adapter = JSONAdapter<Event>()

    let event = try adapter.model(from: Data(json.utf8))
    try store.write { try $0.save([event]) }
    let again = try store.fetch(ModelRequest<Event>())

    #expect(try again.map { String(decoding: try adapter.data(from: $0), as: UTF8.self) } == [json])
  }

  @Test func anyJSONIsTextInARowOfAGraph() throws {
    struct Day: MappedModel, Equatable {
      var id: Int
      var events: [Event]
      static let mapping = Mapping(
        "Day", Day.init, .key("id", \.id, .unique), .toMany("events", \.events))
    }
    let store = try emptyStore(Day.self)
    let days = [
      Day(
        id: 1,
        events: [Event(id: 1, payload: ["b": 1, "a": [.null]], others: ["z": 1, "a.b": [2]])])
    ]

    try store.write { try $0.save(days) }

    #expect(try store.fetch(ModelRequest<Day>()) == days)
    #expect(try store.plan(saving: days).isEmpty)
  }
}
