import Foundation
import MohoMapping

/// A track of an album. The readers and writers of its keys share state between
/// threads: formatters, and a related model.
struct Track: MappedModel, Hashable {
  var id: Int
  var title: String
  var length: Int
  var disc: Int?
  var releasedOn: Date
  var gain: Double
  var album: Album?

  static let mapping = Mapping(
    "Track", Track.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("length", \.length, .indexed),
    .key("disc", \.disc),
    .key("releasedOn", \.releasedOn, .format("dd.MM.yyyy")),
    .key("gain", \.gain, .decimalFormat(locale: Locale(identifier: "en_US"))),
    .toOne("album", \.album))

  /// The track that a writer saves in a step.
  static func sample(_ id: Int, _ step: Int) -> Track {
    Track(
      id: id, title: "Track \(step % 7)", length: step % 30, disc: step % 4 == 0 ? nil : step % 4,
      releasedOn: Date(timeIntervalSince1970: Double(step % 100) * 86_400),
      gain: Double(step) / 4,
      album: step % 5 == 0 ? nil : Album(id: step % 5, name: "Album \(step % 11)"))
  }
}

struct Album: MappedModel, Hashable {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "Album", Album.init, .key("id", \.id, .unique), .key("name", \.name))
}

/// A class cluster that chooses its variant by the keys of an object.
enum Notice: MappedModel, Hashable {
  case track(Track)
  case album(Album)

  static let mapping = Mapping<Notice>(
    "Notice",
    choosing: .variant(when: { $0.has("title") }, Notice.track) {
      if case .track(let track) = $0 { track } else { nil }
    },
    .variant(when: { $0.has("name") }, Notice.album) {
      if case .album(let album) = $0 { album } else { nil }
    })
}
