import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Crew: MappedModel, Equatable {
  var names: [String]
  var rooms: [[Int]]

  static let mapping = Mapping(
    "Crew", Crew.init, .key("names", \.names, json: "users[*].name.first"),
    .key("rooms", \.rooms, json: "floors[*].rooms[*].id"))
}

private struct Named: MappedModel, Equatable {
  var name: String?
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Named", Named.init,
    .key("name", \.name, json: "name.full", alternatives: ["title", "name"]),
    .unknown("others", \.others))
}

private struct Payload: MappedModel, Equatable {
  var payload: JSONValue?

  static let mapping = Mapping(
    "Payload", Payload.init,
    .key("payload", \.payload, json: "data.payload", alternatives: ["data"]))
}

extension Named: Codable {}

/// Unknown keys beside keys that collect, or are looked for at several paths.
@Suite struct UnknownPathTests {
  private func lines<Model: MappedModel>(_ model: Model.Type, _ json: String) -> [String] {
    MohoJSONTests.lines {
      _ = try JSONAdapter<Model>(unknownKeyPolicy: .refuse).model(from: Data(json.utf8))
    }
  }

  @Test func unknownKeysOfCollectedElementsAreFound() {
    let json = #"""
      {"users": [{"name": {"first": "a"}}, {"name": {"first": "b", "last": 1}, "x": 2}],
       "floors": [{"rooms": [{"id": 1, "y": 3}], "z": 4}]}
      """#

    #expect(
      lines(Crew.self, json) == [
        "unknown key: number 1 - `Crew` at /users/1/name/last, 1:70",
        "unknown key: number 2 - `Crew` at /users/1/x, 1:79",
        "unknown key: number 3 - `Crew` at /floors/0/rooms/0/y, 2:39",
        "unknown key: number 4 - `Crew` at /floors/0/z, 2:49",
      ])
  }

  @Test func collectedModelsAreEncodedWithoutUnknownMembers() throws {
    let adapter = JSONAdapter<Crew>(unknownKeyPolicy: .refuse)
    let crew = Crew(names: ["a", "b"], rooms: [[1], [], [2, 3]])

    #expect(try adapter.model(from: adapter.data(from: crew)) == crew)
  }

  @Test func collectedModelsCannotStoreUnknownMembers() {
    struct Open: MappedModel {
      var crew: Crew
      var names: [Int]
      var others: JSONValue
      static let mapping = Mapping(
        "Open", Open.init, .inlined("crew", \.crew),
        .key("names", \.names, json: "a", alternatives: ["b[*].c"]), .unknown("others", \.others))
    }

    #expect(
      Open.mapping.issues.map(\.description) == [
        "`others` receives the unknown members, but `Crew.names` collects from `users`,"
          + " whose elements would lose theirs: map `users` to an array of models instead",
        "`others` receives the unknown members, but `Crew.rooms` collects from `floors`,"
          + " whose elements would lose theirs: map `floors` to an array of models instead",
        "`others` receives the unknown members, but `names` collects from `b`,"
          + " whose elements would lose theirs: map `b` to an array of models instead",
      ])
  }

  @Test(
    arguments: [
      #"{"name":{"full":"a"}}"#: [:],
      #"{"name":{"full":"a","last":"b"},"x":1}"#: ["name.last": "b", "x": 1],
      #"{"title":"a","x":1}"#: ["x": 1],
      #"{"name":"a","x":1}"#: ["x": 1],
    ] as [String: [String: JSONValue]])
  func theAlternativeThatIsReadIsKnown(json: String, others: [String: JSONValue]) throws {
    let named = try JSONAdapter<Named>().model(from: Data(json.utf8))

    #expect(named == Named(name: "a", others: others))
    #expect(try JSONDecoder().decode(Named.self, from: Data(json.utf8)) == named)
    #expect(try JSONAdapter<Named>().model(from: JSONAdapter<Named>().data(from: named)) == named)
    #expect(try JSONDecoder().decode(Named.self, from: JSONEncoder().encode(named)) == named)
  }

  @Test func valuesAtAlternativePathsAreKnownAsAWhole() {
    #expect(lines(Payload.self, #"{"data":{"x":1}}"#) == [])
    #expect(
      lines(Payload.self, #"{"data":{"payload":2,"x":1}}"#)
        == ["unknown key: number 1 - `Payload` at /data/x, 1:26"])
  }

  @Test func unknownMembersCannotBeWrittenToEveryElement() {
    let named = Named(name: "a", others: ["x[*]": 1])

    #expect(
      messages { _ = try JSONAdapter<Named>().data(from: named) } == [
        #"invalid value: member "x[*]", expected path of a member - `Named.others` at /"#
      ])
  }
}
