import MohoJSON
import MohoMapping

/// A model whose nested models are scanned in one pass with it if all objects of a
/// document have the same structure.
struct ScannedTrack: MappedModel, Equatable {
  var id: Int
  var artist: ScannedArtist?
  var writer: ScannedArtist?
  var cover: Int?
  var link: ScannedLink?
  var either: ScannedEither?
  var named: [String: Int]?
  var any: JSONValue?
  var remixes: [ScannedTrack]
  var score: Double?

  static let mapping = Mapping<Self>(
    "Track", Self.init,
    .key("id", \.id, .unique),
    .key("artist", \.artist),
    .key("writer", \.writer),
    .key("cover", \.cover, json: "art.cover"),
    .key("link", \.link),
    .key("either", \.either, ScannedEither.transform),
    .key("named", \.named),
    .key("any", \.any),
    .key("remixes", \.remixes, default: [ScannedTrack]()),
    .key("score", \.score))
}

struct ScannedArtist: MappedModel, Equatable {
  var name: String
  var home: ScannedHome?

  static let mapping = Mapping(
    "Artist", Self.init, .key("name", \.name), .key("home", \.home, json: "at.home"))
}

struct ScannedHome: MappedModel, Equatable {
  var city: String?
  var height: Double?

  static let mapping = Mapping(
    "Home", Self.init, .key("city", \.city), .key("height", \.height))
}

/// A value with two forms, both objects.
enum ScannedEither: Equatable {
  case artist(ScannedArtist)
  case numbers([String: Int])

  static let transform: Transform<ScannedEither> = Transform<ScannedArtist>.standard.map(
    to: { .artist($0) },
    from: { if case .artist(let model) = $0 { model } else { ScannedArtist(name: "") } }
  ).or(
    Transform<[String: Int]>.standard.map(
      to: { .numbers($0) }, from: { if case .numbers(let numbers) = $0 { numbers } else { [:] } }))
}
