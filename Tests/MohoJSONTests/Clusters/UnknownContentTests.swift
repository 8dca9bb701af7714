import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Variants that no program knows, with the content of their objects.
@Suite struct UnknownContentTests {
  private struct Labeled: MappedModel, Equatable {
    var label: String
    static let mapping = Mapping("Labeled", Labeled.init, .key("label", \.label))
  }

  private enum Event: MappedModel, Equatable {
    case labeled(Labeled)
    case other(String, JSONValue)

    static let mapping = Mapping<Event>(
      "Event", discriminator: "meta.event",
      .variant("labeled", Event.labeled) {
        if case .labeled(let event) = $0 { event } else { nil }
      },
      .unknown(Event.other) {
        if case .other(let event, let members) = $0 { (event, members) } else { nil }
      })
  }

  private struct Other: MappedModel, Equatable {
    var actor: String?
    var rest: [String: JSONValue]
    static let mapping = Mapping(
      "Other", Other.init, .key("actor", \.actor), .unknown("rest", \.rest))
  }

  private enum Note: MappedModel, Equatable {
    case labeled(Labeled)
    case other(String, Other)

    static let mapping = Mapping<Note>(
      "Note", discriminator: "event",
      .variant("labeled", Note.labeled) { if case .labeled(let note) = $0 { note } else { nil } },
      .unknown(Note.other) {
        if case .other(let event, let other) = $0 { (event, other) } else { nil }
      })
  }

  @Test func anUnknownVariantKeepsItsContent() throws {
    let text = """
      [{"meta":{"event":"pinned","by":7},"at":"now","list":[1,{"a":null}]},\
      {"meta":{"event":"labeled"},"label":"x"},{"meta":{"event":"gone"}}]
      """
    let adapter = JSONAdapter<Event>()

    let events = try adapter.models(from: text)

    #expect(
      events == [
        .other("pinned", ["meta.by": 7, "at": "now", "list": [1, ["a": nil]]]),
        .labeled(Labeled(label: "x")), .other("gone", [:]),
      ])
    #expect(try adapter.text(from: events) == text)
  }

  @Test func theContentCanBeAModel() throws {
    let text = #"{"event":"pinned","actor":"ada","at":3}"#
    let adapter = JSONAdapter<Note>()

    let note = try adapter.model(from: text)

    #expect(note == .other("pinned", Other(actor: "ada", rest: ["at": 3])))
    #expect(try adapter.text(from: note) == text)
    #expect(throws: MappingError.self) {
      try adapter.model(from: #"{"event": "pinned", "actor": 5}"#)
    }
  }

  private enum Reordered: MappedModel, Equatable {
    case other(String)
    case labeled(Labeled)

    static let mapping = Mapping<Reordered>(
      "Reordered", discriminator: "event",
      .unknown(Reordered.other) { if case .other(let event) = $0 { event } else { nil } },
      .variant("labeled", Reordered.labeled) {
        if case .labeled(let event) = $0 { event } else { nil }
      })
  }

  private enum ReorderedNote: MappedModel, Equatable {
    case other(String, Other)
    case labeled(Labeled)

    static let mapping = Mapping<ReorderedNote>(
      "ReorderedNote", discriminator: "event",
      .unknown(ReorderedNote.other) {
        if case .other(let event, let other) = $0 { (event, other) } else { nil }
      },
      .variant("labeled", ReorderedNote.labeled) {
        if case .labeled(let note) = $0 { note } else { nil }
      })
  }

  @Test func anUnknownVariantThatIsDeclaredFirstReadsOnlyUnknownValues() throws {
    let text = #"[{"event":"labeled","label":"x"},{"event":"pinned"}]"#

    for adapter in [JSONAdapter<Reordered>(), JSONAdapter<Reordered>().withoutFastPath] {
      let events = try adapter.models(from: text)
      #expect(events == [.labeled(Labeled(label: "x")), .other("pinned")])
      #expect(try adapter.text(from: events) == text)
    }
    for adapter in [JSONAdapter<ReorderedNote>(), JSONAdapter<ReorderedNote>().withoutFastPath] {
      let notes = try adapter.models(from: text)
      let other = Other(actor: nil, rest: [:])
      #expect(notes == [.labeled(Labeled(label: "x")), .other("pinned", other)])
    }
  }

  @Test func contentIsNotUnknown() throws {
    let strict = JSONAdapter<Event>(unknownKeyPolicy: .refuse)

    #expect(
      try strict.model(from: #"{"meta": {"event": "pinned"}, "at": 1}"#)
        == .other("pinned", ["at": 1]))
    #expect(throws: MappingError.self) {
      try strict.model(from: #"{"meta": {"event": "labeled"}, "label": "x", "at": 1}"#)
    }
  }

  @Test func aMemberAtThePathOfTheDiscriminatorCannotBeWritten() {
    #expect(throws: MappingError.self) {
      try JSONAdapter<Event>().text(from: .other("pinned", ["meta.event": "x"]))
    }
  }

  @Test func contentIsCodable() throws {
    let event = Event.other("pinned", ["at": 1])
    let data = try JSONEncoder().encode(CodableEvent(event: event))

    #expect(try JSONDecoder().decode(CodableEvent.self, from: data).event == event)
  }

  private struct CodableEvent: MappedModel, Codable {
    var event: Event
    static let mapping = Mapping("CodableEvent", CodableEvent.init, .key("event", \.event))
  }
}
