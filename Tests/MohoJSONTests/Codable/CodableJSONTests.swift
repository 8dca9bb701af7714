import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Track: MappedModel, Codable, Equatable {
  struct Part: MappedModel, Equatable {
    var title: String
    var start: Double?

    static let mapping = Mapping(
      "Part", Part.init, .key("title", \.title), .key("start", \.start, json: "at.start"))
  }

  var id: UInt
  var title: String?
  var price: Decimal?
  var isFree: Bool
  var addedAt: Date?
  var changedAt: Date?
  var cover: Data?
  var file: String?
  var parts: [Part]
  var extras: [String: Part]

  static let mapping = Mapping(
    "Track", Track.init,
    .key("id", \.id),
    .key("title", \.title, json: "meta.title", default: "untitled"),
    .key("price", \.price, json: "meta.price"),
    .key("isFree", \.isFree, default: false),
    .key("addedAt", \.addedAt),
    .key("changedAt", \.changedAt, .epochMilliseconds),
    .key("cover", \.cover),
    .key("file", \.file, json: "files[1].url"),
    .key("parts", \.parts, default: [Part]()),
    .key("extras", \.extras, default: [String: Part]()))
}

/// The coders of Foundation and the adapter, compared.
@Suite struct CodableJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_700_000_000.123)

  private static let tracks = [
    Track(
      id: 1, title: "a/b \"\u{1F3B5}\"", price: Decimal(string: "12.30"), isFree: true,
      addedAt: date, changedAt: date, cover: Data([1, 2, 255]), file: "x.mp3",
      parts: [Track.Part(title: "One", start: 0.1), Track.Part(title: "Two")],
      extras: ["b": Track.Part(title: "B", start: 1e20), "a": Track.Part(title: "A")]),
    Track(id: 0, title: nil, isFree: false, parts: [], extras: [:]),
    Track(id: 9_007_199_254_740_993, title: "untitled", isFree: false, parts: [], extras: [:]),
  ]

  @Test(arguments: tracks)
  private func bothWriteTheSame(track: Track) throws {
    let coded = try JSONDocument(parsing: JSONEncoder().encode(track)).value()
    let adapted = try JSONDocument(parsing: JSONAdapter<Track>().data(from: track)).value()

    #expect(coded?.sorted == adapted?.sorted)
  }

  @Test(arguments: tracks)
  private func eachReadsWhatTheOtherWrites(track: Track) throws {
    let adapter = JSONAdapter<Track>()

    #expect(try JSONDecoder().decode(Track.self, from: adapter.data(from: track)) == track)
    #expect(try adapter.model(from: JSONEncoder().encode(track)) == track)
  }

  @Test(arguments: [
    "{}",
    "[]",
    #"{"id":-1,"isFree":1,"meta":{"title":5,"price":"1"}}"#,
    #"{"id":1.5,"isFree":null,"meta":7}"#,
    #"{"id":true,"meta":null,"files":{}}"#,
    #"{"id":{},"meta":[],"files":[]}"#,
    #"{"id":"1","files":[null,null]}"#,
    #"{"id":[1],"files":[null,{"url":true}]}"#,
    #"{"id":1,"addedAt":"yesterday","changedAt":"2020","cover":"%"}"#,
    #"{"id":1,"addedAt":5,"changedAt":{},"cover":[]}"#,
    #"{"id":1,"parts":{},"extras":[]}"#,
    #"{"id":1,"parts":[{"title":1},null,{"title":"t","at":5},7],"extras":{"a":null,"b":{}}}"#,
  ])
  func bothRefuseTheSame(text: String) {
    let data = Data(text.utf8)

    let coded = messages { _ = try JSONDecoder().decode(Track.self, from: data) }
    let adapted = messages { _ = try JSONAdapter<Track>().model(from: data) }

    #expect(coded == adapted)
    #expect(!coded.isEmpty)
  }
}
