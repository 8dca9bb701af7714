import Foundation
import MohoMapping

/// A model with a key of every kind.
struct Recording: MappedModel, Equatable {
  enum Quality: String, CaseIterable, FieldValue { case low, high }

  struct Chapter: MappedModel, Equatable {
    var title: String
    var start: Double?

    static let mapping = Mapping(
      "Chapter", Chapter.init, .key("title", \.title), .key("start", \.start, json: "at.start"))
  }

  var id: Int
  var size: UInt64
  var title: String
  var note: String?
  var isExplicit: Bool
  var gain: Double
  var price: Decimal
  var recordedAt: Date
  var editedAt: Date?
  var importedAt: Date?
  var digest: Data
  var link: URL?
  var uuid: UUID
  var quality: Quality
  var rating: Int?
  var cover: String?
  var second: String?
  var first: String?
  var chapters: [Chapter]
  var trailer: Chapter?
  var extras: [String: Chapter]
  var scores: [Int?]
  var row: Int?
  var isOpen = false

  static let mapping = Mapping(
    "Recording", Recording.init,
    .key("id", \.id, .unique),
    .key("size", \.size),
    .key("title", \.title, json: "meta.title"),
    .key("note", \.note, json: "meta.note"),
    .key("isExplicit", \.isExplicit, json: "flags.explicit"),
    .key("gain", \.gain),
    .key("price", \.price),
    .key("recordedAt", \.recordedAt, json: "meta.recorded_at"),
    .key("editedAt", \.editedAt, .epochSeconds),
    .key("importedAt", \.importedAt, .epochMilliseconds),
    .key("digest", \.digest),
    .key("link", \.link),
    .key("uuid", \.uuid),
    .key("quality", \.quality),
    .key("rating", \.rating, default: 3),
    .key("cover", \.cover, json: "meta.images.cover"),
    .key("second", \.second, json: "files[2].url"),
    .key("first", \.first, json: "files[0].url"),
    .key("chapters", \.chapters),
    .key("trailer", \.trailer),
    .key("extras", \.extras, default: [String: Chapter]()),
    .key("scores", \.scores, default: [Int?]()),
    .key("row", \.row, .storeOnly),
    .transient(\.isOpen, default: false)
  )
  .validating(\.gain, "a gain from -1 to 1") { abs($0) <= 1 }

  /// With a value for every key that documents hold.
  static let full = Recording(
    id: -7, size: 9_007_199_254_740_993, title: "Deep \"Time\" \u{1F30B}", note: "n",
    isExplicit: true, gain: -0.1, price: Decimal(string: "12.30") ?? 0,
    recordedAt: Date(timeIntervalSince1970: 1_700_000_000.25),
    editedAt: Date(timeIntervalSince1970: 1_700_000_000.5),
    importedAt: Date(timeIntervalSince1970: 1_700_000_000.123),
    digest: Data([0, 255, 10]), link: URL(string: "https://example.com/a?b=c"),
    uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    quality: .high, rating: nil, cover: "c.png", second: "2.mp3", first: "0.mp3",
    chapters: [Chapter(title: "One", start: 0), Chapter(title: "Two")],
    trailer: Chapter(title: "Trailer", start: 1.5),
    extras: ["b": Chapter(title: "B"), "a": Chapter(title: "A", start: 2)],
    scores: [1, nil, 3])

  /// With nil and nothing wherever that can be.
  static let bare = Recording(
    id: 0, size: 0, title: "", isExplicit: false, gain: 0, price: 0,
    recordedAt: Date(timeIntervalSince1970: 0), digest: Data(),
    uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    quality: .low, rating: 3, chapters: [], extras: [:], scores: [])
}

extension Recording: Codable {}
