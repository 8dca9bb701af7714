import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// A model of unknown members.
private struct OpenNote: MappedModel, Equatable {
  var id: Int
  var others: JSONValue
  static let mapping = Mapping(
    "Note", OpenNote.init, .key("id", \.id, .unique), .unknown("others", \.others))
}

private struct AuthoredNote: MappedModel, Equatable {
  var id: Int
  var author: String?
  var others: JSONValue
  static let mapping = Mapping(
    "Note", AuthoredNote.init, .key("id", \.id, .unique),
    .key("author", \.author, json: "meta.author"), .unknown("others", \.others))
}

/// Keys of any JSON.
private struct JSONNote: MappedModel, Equatable {
  struct Spot: MappedModel, Equatable {
    var x: Int
    var json: JSONValue
    static let mapping = Mapping("Spot", Spot.init, .key("x", \.x), .key("json", \.json))
  }

  var id: Int
  var json: JSONValue?
  var spot: Spot?
  var others: JSONValue = [:]
  static let mapping = Mapping(
    "Note", JSONNote.init, .key("id", \.id, .unique), .key("json", \.json),
    .key("spot", \.spot), .unknown("others", \.others))
}

/// JSON that migrations move keeps the order of its members.
@Suite(.allEngines) struct MemberOrderMigrationTests {
  @Test func membersThatRemainKeepTheirOrder() throws {
    let database = try MigratedStore()
    let document = #"""
      {"id":1,"z":{"b":1,"a":2},"meta":{"author":"x","b":{"z":1,"a":2}}}
      """#
    try database.open(OpenNote.self).write {
      _ = try $0.save(JSONAdapter<OpenNote>().model(from: document))
    }

    let notes = try database.open(AuthoredNote.self).fetch(ModelRequest<AuthoredNote>())

    #expect(notes.map(\.author) == ["x"])
    #expect(notes.map(\.others) == [["z": ["b": 1, "a": 2], "meta.b": ["z": 1, "a": 2]]])
  }

  @Test func jsonOfKeysThatBecomeUnknownKeepsItsOrder() throws {
    let database = try MigratedStore()
    let json: JSONValue = ["b": 1, "a": [["d": 1, "c": ["_moho_x": 2]]]]
    let note = JSONNote(id: 1, json: json, spot: JSONNote.Spot(x: 1, json: ["y": json, "x": 2]))
    try database.open(JSONNote.self).write { _ = try $0.save(note) }
    let policy = MigrationPolicy.inferred(
      retainingAsUnknown: [.key("json", of: "Note"), .key("spot", of: "Note")])

    let store = try database.open(OpenNote.self, with: MigrationOptions(policy: policy))
    let unknown = try store.fetch(ModelRequest<OpenNote>())
    let again = try database.open(JSONNote.self).fetch(ModelRequest<JSONNote>())

    #expect(
      unknown.map(\.others) == [["json": json, "spot": ["json": ["y": json, "x": 2], "x": 1]]])
    #expect(again == [note])
  }
}
