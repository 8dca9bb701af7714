import Foundation
import MohoJSON
import MohoMapping

/// A model with every kind of key that the fast path supports.
struct ScannedShow: MappedModel, Equatable {
  var id: Int
  var title: String?
  var size: Double?
  var small: Int8?
  var big: UInt64?
  var price: Decimal?
  var ratio: Float?
  var isNew: Bool
  var date: Date?
  var epoch: Date?
  var kind: Episode.Kind?
  var url: String?
  var cover: String?
  var count: Int?
  var place: ScannedLocation
  var best: ScannedPart?
  var parts: [ScannedPart]
  var grid: [[Double]]?
  var named: [String: Int]?
  var any: JSONValue?
  var tags: [String?]?
  var length: Int?
  var link: ScannedLink?
  var notes: LossyArray<Int>

  static let mapping = Mapping<Self>(
    "Show", Self.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("size", \.size),
    .key("small", \.small),
    .key("big", \.big),
    .key("price", \.price),
    .key("ratio", \.ratio),
    .key("isNew", \.isNew, json: "new", default: false),
    .key("date", \.date, .iso8601),
    .key("epoch", \.epoch, json: "times.epoch", .epochSeconds),
    .key("kind", \.kind, json: "kind\u{E9}"),
    .key("url", \.url, json: "media.url", alternatives: ["media", "link"]),
    .key("cover", \.cover, json: "images[1].url"),
    .key("count", \.count, json: "stats.count"),
    .inlined("place", \.place),
    .key("best", \.best),
    .key("parts", \.parts, default: [ScannedPart]()),
    .key("grid", \.grid),
    .key("named", \.named),
    .key("any", \.any),
    .key("tags", \.tags),
    .key("length", \.length, .standard.or(.numberInString)),
    .key("link", \.link, json: "about"),
    .key("notes", \.notes, default: LossyArray()))
}

/// Keys that are inlined in the show.
struct ScannedLocation: MappedModel, Equatable {
  var latitude: Double?
  var note: String

  static let mapping = Mapping(
    "Place", Self.init,
    .key("latitude", \.latitude, json: "place.lat"),
    .key("note", \.note, default: ""))
}

/// Links with two forms.
enum ScannedLink: MappedModel, Equatable {
  case page(ScannedPage)
  case part(ScannedPart)

  static let mapping = Mapping<Self>(
    "Link",
    choosing:
      .variant(when: { $0.string("page") != nil }, Self.page) {
        if case .page(let model) = $0 { model } else { nil }
      },
    .variant(when: { $0.has("n") }, Self.part) {
      if case .part(let model) = $0 { model } else { nil }
    })
}

struct ScannedPage: MappedModel, Equatable {
  var page: String

  static let mapping = Mapping("Page", Self.init, .key("page", \.page))
}

/// A recursive model.
struct ScannedPart: MappedModel, Equatable {
  var number: Int
  var start: Double?
  var parts: [ScannedPart]

  static let mapping = Mapping(
    "Part", Self.init,
    .key("number", \.number, json: "n"),
    .key("start", \.start, json: "at.start"),
    .key("parts", \.parts, default: [ScannedPart]()))
}
