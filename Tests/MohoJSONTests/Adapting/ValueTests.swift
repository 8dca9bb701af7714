import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct ValueTests {
  private let adapter = JSONAdapter<Episode>()
  private let episode = Episode(id: 1, title: "One", kind: .free, duration: nil)

  @Test func aModelIsAnObject() throws {
    #expect(
      try adapter.value(from: episode) == ["id": 1, "title": "One", "episode_type": "free"])
    #expect(try adapter.value(from: episode, nullPolicy: .null)["duration"] == JSONValue.null)
    let enveloped = JSONAdapter<Episode>(envelope: "episode", nullPolicy: .null)
    #expect(try enveloped.value(from: episode)["episode"]?["duration"] == JSONValue.null)
  }

  @Test func modelsAreAnArray() throws {
    #expect(
      try adapter.value(from: [episode, episode]) == [
        adapter.value(from: episode), adapter.value(from: episode),
      ])
    #expect(try adapter.value(from: [Episode]()) == [])
    #expect(try adapter.value(from: [episode], nullPolicy: .null)[0]?["duration"] == JSONValue.null)
  }

  @Test func partialModelsAreObjectsOfTheirKeys() throws {
    let partial = Partial(episode, only: \.title, \.duration)

    #expect(try adapter.value(from: partial) == ["title": "One", "duration": nil])
    #expect(try adapter.value(from: partial, nullPolicy: .omit) == ["title": "One"])
    #expect(
      try adapter.value(from: [partial, partial])
        == [["title": "One", "duration": nil], ["title": "One", "duration": nil]])
  }

  @Test func everyEncodingCallHasTheSameError() throws {
    let partial = Partial(episode, only: \.title, \.duration)
    func parsed(_ text: String) throws -> JSONValue? { try JSONDocument(parsing: text).value() }

    #expect(try parsed(adapter.text(from: episode)) == adapter.value(from: episode))
    #expect(try parsed(adapter.text(from: [episode])) == adapter.value(from: [episode]))
    #expect(try parsed(adapter.text(from: partial)) == adapter.value(from: partial))
    #expect(try parsed(adapter.text(from: [partial])) == adapter.value(from: [partial]))
    #expect(try adapter.text(from: [partial]) == adapter.data(from: [partial]).text)
  }

  @Test func valuesThatJSONCannotRepresentAreErrors() {
    let episode = Episode(id: 1, title: "", kind: .free, duration: .infinity)

    #expect(throws: MappingError.self) { try adapter.value(from: episode) }
    #expect(throws: MappingError.self) {
      try adapter.value(from: Partial(episode, only: \.duration))
    }
  }
}
