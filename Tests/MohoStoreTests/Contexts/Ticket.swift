import Foundation
import MohoMapping
import MohoRows
import StoreTesting

/// A model with each kind of key.
struct Ticket: MappedModel, Equatable {
  enum State: String, FieldValue { case open, closed }

  struct Size: Codable, Sendable, Equatable { var width: Int }

  struct Span: MappedModel, Equatable {
    var start: Int
    var end: Int?

    static let mapping = Mapping(
      "Span", Span.init, .key("start", \.start), .key("end", \.end))
  }

  enum Event: MappedModel, Equatable {
    case moved(Span)
    case opened

    static let mapping = Mapping<Event>(
      "Event", discriminator: "kind",
      .variant("moved", Event.moved) { if case .moved(let span) = $0 { span } else { nil } },
      .variant("opened", .opened) { if case .opened = $0 { true } else { false } })
  }

  let number: Int
  var title: String
  var note: String?
  var state: State
  var due: Date?
  var score: Double
  var shift: Int
  var size: Size
  var words: [String]
  var span: Span
  var range: Span?
  var spans: [Span]
  var frame: Span
  var event: Event
  var sprint: Sprint?
  var author: ModelReference<Member>?
  var labels: [Tag]
  var watchers: [ModelReference<Member>]
  var isShown = false

  /// A property that is not a key.
  var headline: String {
    get { title.uppercased() }
    set { title = newValue.lowercased() }
  }

  private static let oneLess: Transform<Int> = Transform<Int>.standard.map(
    to: { $0 - 1 }, from: { $0 + 1 })

  static let mapping = Mapping<Ticket>(
    "Ticket", Ticket.init,
    .key("number", \.number, .unique),
    .key("title", \.title),
    .key("note", \.note),
    .key("state", \.state, default: .open),
    .key("due", \.due, .epochSeconds),
    .key("score", \.score, default: 0),
    .key("shift", \.shift, oneLess, default: 6),
    .key("size", \.size, .codable, default: Size(width: 3)),
    .key("words", \.words, default: []),
    .key("span", \.span, default: Span(start: 0)),
    .key("range", \.range),
    .key("spans", \.spans, default: []),
    .inlined("frame", \.frame),
    .key("event", \.event),
    .toOne("sprint", \.sprint),
    .toOne("author", \.author),
    .toMany("labels", \.labels),
    .toMany("watchers", \.watchers),
    .transient(\.isShown, default: false)
  )
  .validating(\.title, "text that is not empty") { !$0.isEmpty }

  static func number(_ number: Int) throws -> Ticket {
    try Ticket(
      number: number, title: "Basalt", note: "A note", state: .open, due: nil, score: 1, shift: 4,
      size: Size(width: 1), words: ["a"], span: Span(start: 1), range: nil,
      spans: [Span(start: 2, end: 3)], frame: Span(start: 4), event: .opened,
      sprint: Sprint(id: 1, title: "May"), author: ModelReference(key: 1),
      labels: [Tag(id: 1, name: "bug"), Tag(id: 2, name: "ui")],
      watchers: [ModelReference(key: 1), ModelReference(key: 2)])
  }

  /// A store with two members, and the ticket 7.
  static func store() throws -> ModelStore {
    let store = try emptyStore(Ticket.self)
    try store.write { writer in
      try writer.save([Member(id: 1, login: "ada"), Member(id: 2, login: "bea")])
      try writer.save(Ticket.number(7))
    }
    return store
  }
}

extension Ticket {
  struct Sprint: MappedModel, Equatable {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Sprint", Sprint.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  struct Member: MappedModel, Equatable {
    var id: Int
    var login: String

    static let mapping = Mapping(
      "Member", Member.init, .key("id", \.id, .unique), .key("login", \.login))
  }

  struct Tag: MappedModel, Equatable {
    var id: Int
    var name: String

    static let mapping = Mapping("Tag", Tag.init, .key("id", \.id, .unique), .key("name", \.name))
      .validating(\.name, "text that is not empty") { !$0.isEmpty }
  }
}
