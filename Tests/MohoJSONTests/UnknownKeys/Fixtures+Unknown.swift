import Foundation
import MohoJSON
import MohoMapping

/// The models of the tests about unknown keys.
enum Unknown {
  struct Part: MappedModel, Equatable {
    var title: String
    var start: Double?
    static let mapping = Mapping(
      "Part", Part.init, .key("title", \.title), .key("start", \.start, json: "at.start"))
  }

  struct Span: MappedModel, Equatable {
    var location: Int
    var length: Int?
    static let mapping = Mapping(
      "Span", Span.init, .key("location", \.location), .key("length", \.length, json: "size.length")
    )
  }

  /// Keeps nothing.
  struct Talk: MappedModel, Equatable {
    var id: Int
    var image: String?
    var second: String?
    var parts: [Part]
    var named: [String: Part]
    var span: Span?

    static let mapping = Mapping<Talk>(
      "Talk", Talk.init,
      .key("id", \.id),
      .key("image", \.image, json: "image.url"),
      .key("second", \.second, json: "tags[1]"),
      .key("parts", \.parts, default: [Part]()),
      .key("named", \.named, default: [String: Part]()),
      .inlined("span", \.span))
  }

  struct Circle: MappedModel, Equatable {
    var radius: Int
    var rest: JSONValue
    static let mapping = Mapping(
      "Circle", Circle.init, .key("radius", \.radius), .unknown("rest", \.rest))
  }

  struct Square: MappedModel, Equatable {
    var side: Int
    static let mapping = Mapping(
      "Square", Square.init, .key("side", \.side, json: "size.side"))
  }

  enum Shape: MappedModel, Equatable {
    case circle(Circle)
    case square(Square)
    case other(String)

    static let mapping = Mapping<Shape>(
      "Shape", discriminator: "kind",
      .variant("circle", Shape.circle) { if case .circle(let model) = $0 { model } else { nil } },
      .variant("square", Shape.square) { if case .square(let model) = $0 { model } else { nil } },
      .unknown(Shape.other) { if case .other(let kind) = $0 { kind } else { nil } })
  }

  /// A cluster among other keys.
  struct Figure: MappedModel, Equatable {
    var id: Int
    var shape: Shape?
    var note: String?
    static let mapping = Mapping(
      "Figure", Figure.init, .key("id", \.id), .inlined("shape", \.shape), .key("note", \.note))
  }

  /// Keeps what it does not know, in order, at every level.
  struct Open: MappedModel, Equatable {
    var id: Int
    var image: String?
    var second: JSONValue?
    var parts: [OpenPart]
    var others: JSONValue
    var span: Span?

    static let mapping = Mapping<Open>(
      "Open", Open.init,
      .key("id", \.id),
      .key("image", \.image, json: "image.url", alternatives: ["picture", "links.image"]),
      .key("second", \.second, json: "tags[1]"),
      .key("parts", \.parts, default: [OpenPart]()),
      .unknown("others", \.others),
      .inlined("span", \.span))
  }

  struct OpenPart: MappedModel, Equatable {
    var title: String
    var others: [String: JSONValue]
    static let mapping = Mapping(
      "OpenPart", OpenPart.init, .key("title", \.title, json: "meta.title"),
      .unknown("others", \.others))
  }

  /// Keeps the members of its own and of an inlined model, in a dictionary.
  struct Labels: MappedModel, Equatable {
    var labels: [String: String]
    static let mapping = Mapping("Labels", Labels.init, .unknown("labels", \.labels))
  }

  struct Box: MappedModel, Equatable {
    var labels: Labels
    var id: Int
    static let mapping = Mapping(
      "Box", Box.init, .inlined("labels", \.labels), .key("id", \.id))
  }

  /// A model of one key that is any JSON.
  struct Payload: MappedModel, Equatable {
    var payload: JSONValue
    static let mapping = Mapping("Payload", Payload.init, .key("payload", \.payload))
  }

  struct OptionalPayload: MappedModel, Equatable {
    var payload: JSONValue?
    static let mapping = Mapping("Payload", OptionalPayload.init, .key("payload", \.payload))
  }
}

extension Unknown.Open: Codable {}
extension Unknown.Figure: Codable {}
extension Unknown.Payload: Codable {}
extension Unknown.OptionalPayload: Codable {}
extension Unknown.Box: Codable {}

/// What an adapter reports.
final class Reports: @unchecked Sendable {
  // SAFETY: `@unchecked Sendable` because adapters report on the thread that
  // reads, which here is the test's.
  private(set) var messages: [String] = []

  var policy: UnknownKeyPolicy { .report { self.messages.append($0.description) } }
}

/// The lines of a mapping error, with places.
func lines(_ body: () throws -> Void) -> [String] {
  do {
    try body()
    return []
  } catch {
    return "\(error)".split(separator: "\n").map(String.init)
  }
}
