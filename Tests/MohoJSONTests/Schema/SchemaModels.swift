import Foundation
import MohoJSON
import MohoMapping

/// Models with every kind of key that a schema describes.
enum SchemaModels {
  enum Kind: String, CaseIterable, FieldValue { case full, trailer }
  enum Level: Int, CaseIterable, FieldValue { case low = 1, high = 2 }
  enum Mood: String { case calm }

  struct Scalars: MappedModel {
    var id: Int
    var byte: UInt8
    var unsigned: UInt
    var double: Double
    var decimal: Decimal?
    var flag: Bool
    var title: String
    var data: Data
    var uuid: UUID
    var url: URL?
    var date: Date
    var day: Date
    var seconds: Date?
    var anyDate: Date
    var kind: Kind
    var level: Level?
    var mood: OpenEnum<Mood>
    var json: JSONValue

    static let mapping = Mapping(
      "Scalars", Scalars.init,
      .key("id", \.id, .unique), .key("byte", \.byte), .key("unsigned", \.unsigned, default: 1),
      .key("double", \.double), .key("decimal", \.decimal, .nilAsNull), .key("flag", \.flag),
      .key("title", \.title, default: "none"), .key("data", \.data), .key("uuid", \.uuid),
      .key("url", \.url), .key("date", \.date), .key("day", \.day, .iso8601Date),
      .key("seconds", \.seconds, .epochSeconds),
      .key("anyDate", \.anyDate, .dates(.iso8601, .epochMilliseconds)),
      .key("kind", \.kind), .key("level", \.level), .key("mood", \.mood), .key("json", \.json))
  }

  struct Forms: MappedModel {
    var count: Int
    var price: Decimal
    var flag: Bool
    var access: Kind
    var loose: Kind
    var label: String
    var lengths: [Double?]
    var sizes: [String: Int]
    var kinds: LossyArray<Kind>
    var tags: Set<String>
    var absent: Int

    static let mapping = Mapping(
      "Forms", Forms.init,
      .key("count", \.count, .numberOrString), .key("price", \.price, .numberInString),
      .key("flag", \.flag, .booleanAsNumber),
      .key("access", \.access, Transform<Kind>.table(["free": .full, "paid": .trailer])),
      .key("loose", \.loose, .rawValue(unknown: .full)),
      .key("label", \.label, .stringOrInteger), .key("lengths", \.lengths),
      .key("sizes", \.sizes), .key("kinds", \.kinds), .key("tags", \.tags, default: []),
      .key("absent", \.absent, default: 3, .nullIsAbsent))
  }

  struct Paths: MappedModel {
    var url: String
    var width: Int?
    var height: Int?
    var first: String
    var third: Int?
    var names: [String]
    var ages: [Int?]?
    var groups: [[Int]]

    static let mapping = Mapping(
      "Paths", Paths.init,
      .key("url", \.url, json: "thumbnail.url"), .key("width", \.width, json: "thumbnail.width"),
      .key("height", \.height, json: "meta.size.height"),
      .key("first", \.first, json: "files[0].name"),
      .key("third", \.third, json: "files[2].size"),
      .key("names", \.names, json: "users[*].name"),
      .key("ages", \.ages, json: "people[*].data.age"),
      .key("groups", \.groups, json: "groups[*].users[*].id"))
  }

  struct Alternatives: MappedModel {
    var url: String
    var size: Int?
    var mood: String
    var label: String

    static let mapping = Mapping(
      "Alternatives", Alternatives.init,
      .key("url", \.url, json: "thumbnail.url", alternatives: ["thumbnail", "images[0]"]),
      .key("size", \.size, json: "size", alternatives: ["meta.size"]),
      .key("mood", \.mood, json: "mood", alternatives: ["feeling"], default: "calm"),
      .key("label", \.label))
  }

  struct Span: MappedModel {
    var start: Double
    var length: Double?
    static let mapping = Mapping(
      "Span", Span.init, .key("start", \.start), .key("length", \.length, json: "size.length"))
  }

  struct Inlined: MappedModel {
    var title: String
    var span: Span
    var place: Place?
    var style: Style

    static let mapping = Mapping(
      "Inlined", Inlined.init, .key("title", \.title), .inlined("span", \.span),
      .inlined("place", \.place),
      .inlined("style", \.style, default: Style(color: "red", size: nil)))
  }

  struct Place: MappedModel {
    var city: String
    var street: String?
    static let mapping = Mapping(
      "Place", Place.init, .key("city", \.city, json: "address.city"),
      .key("street", \.street, json: "address.street"))
  }

  struct Style: MappedModel {
    var color: String
    var size: Int?
    static let mapping = Mapping(
      "Style", Style.init, .key("color", \.color), .key("size", \.size, json: "fontSize"))
  }

  enum Event: MappedModel {
    case span(Span)
    case ping
    case other(String, JSONValue)

    static let mapping = Mapping<Event>(
      "Event", discriminator: "meta.type",
      .variant("span", Event.span) { if case .span(let span) = $0 { span } else { nil } },
      .variant("ping", .ping) { if case .ping = $0 { true } else { false } },
      .unknown(Event.other) {
        if case .other(let type, let members) = $0 { (type, members) } else { nil }
      })
  }

  enum Shape: MappedModel {
    case span(Span)
    case style(Style)

    static let mapping = Mapping<Shape>(
      "Shape",
      choosing: .variant(when: { $0.has("start") }, Shape.span) {
        if case .span(let span) = $0 { span } else { nil }
      },
      .variant(when: { $0.has("color") }, Shape.style) {
        if case .style(let style) = $0 { style } else { nil }
      })
  }

  /// A tree, with references, a cluster and models with unknown members.
  struct Tree: MappedModel {
    var id: Int
    var event: Event?
    var children: [Tree]
    var parent: ModelReference<Tree>?
    var labels: [String: Label]
    var shape: Shape
    var summary: Label?

    static let mapping = Mapping(
      "Tree", Tree.init,
      .key("id", \.id, .unique), .key("event", \.event), .toMany("children", \.children),
      .toOne("parent", \.parent), .key("labels", \.labels), .key("shape", \.shape),
      .key("summary", \.summary, Transform<Label>.nested(by: Label.short)))
  }

  struct Label: MappedModel {
    var name: String
    var color: String?
    var numbers: [String: Int]

    static let mapping = Mapping(
      "Label", Label.init, .key("name", \.name), .key("color", \.color, json: "style.color"),
      .unknown("numbers", \.numbers))

    static let short = Mapping<Label>(
      "Label", { Label(name: $0, numbers: [:]) }, .key("name", \.name, json: "n"))
  }

  struct Feed: MappedModel {
    var url: String
    static let mapping = Mapping("Feed", Feed.init, .key("url", \.url, .unique))
  }

  struct Item: MappedModel {
    var feed: ModelReference<Feed>
    var guid: Int
    static let mapping = Mapping<Item>(
      "Item", Item.init, .toOne("feed", \.feed), .key("guid", \.guid)
    ).identified(by: \.feed, \.guid)
  }

  /// A model that refers to a model with a composite identity.
  struct Bookmark: MappedModel {
    var item: ModelReference<Item>
    var others: [ModelReference<Item>]?
    static let mapping = Mapping(
      "Bookmark", Bookmark.init, .toOne("item", \.item), .toMany("others", \.others))
  }

  /// A model whose identifying key is optional.
  struct Draft: MappedModel {
    var code: String?
    static let mapping = Mapping("Draft", Draft.init, .key("code", \.code, .unique))
  }

  /// A model whose identifying key has a default.
  struct Slot: MappedModel {
    var number: Int
    static let mapping = Mapping(
      "Slot", Slot.init, .key("number", \.number, default: 7, .unique))
  }

  /// A model with identifying keys that are optional or have a default.
  struct Release: MappedModel {
    var major: Int?
    var minor: Int
    static let mapping = Mapping<Release>(
      "Release", Release.init, .key("major", \.major), .key("minor", \.minor, default: 0)
    ).identified(by: \.major, \.minor)
  }

  /// A model that refers to models whose identifying keys can be absent.
  struct Links: MappedModel {
    var draft: ModelReference<Draft>
    var slot: ModelReference<Slot>
    var release: ModelReference<Release>
    var other: ModelReference<Draft>?
    static let mapping = Mapping(
      "Links", Links.init, .toOne("draft", \.draft), .toOne("slot", \.slot),
      .toOne("release", \.release), .toOne("other", \.other))
  }
}
