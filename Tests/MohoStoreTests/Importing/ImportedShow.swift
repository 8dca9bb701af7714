import Foundation
import MohoMapping
import MohoTesting

/// A model with every type of column. Nothing in its mapping requires model
/// instances for saving.
struct ImportedShow: MappedModel, Equatable {
  enum Kind: String, CaseIterable, FieldValue { case free, paid }

  var id: Int
  var slug: String?
  var title: String
  var size: Double?
  var isNew: Bool
  var small: Int8?
  var big: UInt64?
  var price: Decimal?
  var ratio: Float?
  var date: Date?
  var epoch: Date?
  var kind: Kind?
  var url: String?
  var cover: String?
  var tags: [String?]?
  var bytes: Data?
  var token: UUID?
  var length: Int?
  var count: Int
  var row: Int
  var isOpen = false

  static let mapping = Mapping<Self>(
    "Show", Self.init,
    .key("id", \.id, .unique),
    .key("slug", \.slug, .unique),
    .key("title", \.title),
    .key("size", \.size),
    .key("isNew", \.isNew, json: "new", default: false),
    .key("small", \.small),
    .key("big", \.big),
    .key("price", \.price),
    .key("ratio", \.ratio),
    .key("date", \.date, .iso8601),
    .key("epoch", \.epoch, json: "times.epoch", .epochSeconds),
    .key("kind", \.kind),
    .key("url", \.url, json: "media.url", alternatives: ["link"]),
    .key("cover", \.cover, json: "images[1].url"),
    .key("tags", \.tags),
    .key("bytes", \.bytes),
    .key("token", \.token),
    .key("length", \.length, .standard.or(.numberInString)),
    .key("count", \.count, default: 3, .nullIsAbsent),
    .key("row", \.row, default: 7, .storeOnly),
    .transient(\.isOpen, default: false))
}

/// Generates random documents, some of them invalid.
struct RandomShows {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Generates an array at a path. One in three documents contains an error.
  mutating func document() -> Data {
    let isBroken = generator.oneIn(3)
    let elements = (0..<generator.below(30)).map { _ in show(isBroken: isBroken) }
    var text = Array(#"{"x":[1],"shows":[\#(elements.joined(separator: ","))]}"#.utf8)
    if isBroken, generator.oneIn(4) {
      text[generator.below(text.count)] = UInt8(generator.below(256))
    }
    return Data(text)
  }

  private mutating func show(isBroken: Bool) -> String {
    if isBroken, generator.oneIn(20) { return "7" }
    var members = [#""id":\#(generator.below(40))"#, #""title":\#(text())"#]
    for (key, values) in Self.members where !generator.oneIn(3) {
      members.append("\"\(key)\":\(values[generator.below(values.count)])")
    }
    if generator.oneIn(4) { members.append(#""slug":"s\#(generator.below(200))""#) }
    if isBroken, generator.oneIn(8) {
      let index = generator.below(members.count)
      let mistakes = [
        #""id":null"#, #""big":18446744073709551615"#, #""title":"\ud800""#, #""small":300"#,
        #""kind":"gratis""#, #""date":"soon""#, #""new":1"#, #""tags":{}"#, #""size":"x""#,
        #""price":1,"price":2"#, #""title":{}"#,
      ]
      members[index] = mistakes[generator.below(mistakes.count)]
    }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func text() -> String {
    let texts = [
      #""""#, #""Basalt""#, #""a \"quoted\" title of some more than a few bytes""#, #""語 \u00e9""#,
      #""👩‍👧\n""#, "\"e\u{301}\"", #""\ud83d\ude00""#, #""a\u0000b""#,
    ]
    return texts[generator.below(texts.count)]
  }

  private static let members: [(String, [String])] = [
    ("size", ["1", "-0.0", "2.5e-3", "null", "1e2"]),
    ("new", ["true", "false"]),
    ("small", ["-128", "7", "null", "1.0"]),
    ("big", ["0", "9223372036854775807", "null"]),
    ("price", ["12.50", "1234567890123456789012345.678", "null"]),
    ("ratio", ["0.1", "3", "null"]),
    ("date", [#""2026-11-20T08:30:00Z""#, #""2026-11-20T08:30:00.125+02:00""#, "null"]),
    ("times", [#"{"epoch":1500000000.5}"#, "{}", "null"]),
    ("kind", [#""free""#, #""p\u0061id""#, "null"]),
    ("media", [#"{"url":"http:\/\/example.com"}"#, "{}", "null"]),
    ("link", [#""a""#, "null"]),
    ("images", [#"[{},{"url":"u"}]"#, "[]", "null"]),
    ("tags", [#"["a",null,"\n"]"#, "[]", "null"]),
    ("bytes", [#""AAEC""#, #""""#, "null"]),
    ("token", [#""2B7E1516-28AE-D2A6-ABF7-158809CF4F3C""#, "null"]),
    ("length", ["7", #""8""#, "null"]),
    ("count", ["1", "null"]),
    ("unknown", [#"{"a":[1,{"b":null}]}"#, "1"]),
  ]
}
