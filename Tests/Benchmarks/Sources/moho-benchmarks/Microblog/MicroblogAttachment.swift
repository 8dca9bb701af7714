import Foundation
import MohoJSON
import MohoMapping

/// A file of a status, by its type.
enum MicroblogAttachment: MappedModel {
  case image(MicroblogImage)
  case video(MicroblogClip)
  case animation(MicroblogClip)
  case audio(MicroblogSound)
  case other(String, JSONValue)

  static let mapping = Mapping<MicroblogAttachment>(
    "MicroblogAttachment", discriminator: "type",
    .variant("image", MicroblogAttachment.image) {
      if case .image(let image) = $0 { image } else { nil }
    },
    .variant("video", MicroblogAttachment.video) {
      if case .video(let clip) = $0 { clip } else { nil }
    },
    .variant("gifv", MicroblogAttachment.animation) {
      if case .animation(let clip) = $0 { clip } else { nil }
    },
    .variant("audio", MicroblogAttachment.audio) {
      if case .audio(let sound) = $0 { sound } else { nil }
    },
    .unknown(MicroblogAttachment.other) {
      if case .other(let type, let members) = $0 { (type, members) } else { nil }
    })
}

/// What all attachments of a known type have.
struct MicroblogFile: MappedModel {
  var id: String
  var url: String
  var preview: String?
  var description: String?
  var blurhash: String?

  static let mapping = Mapping(
    "MicroblogFile", MicroblogFile.init,
    .key("id", \.id), .key("url", \.url), .key("preview", \.preview, json: "preview_url"),
    .key("description", \.description), .key("blurhash", \.blurhash))
}

struct MicroblogSize: MappedModel {
  var width: Int
  var height: Int

  static let mapping = Mapping(
    "MicroblogSize", MicroblogSize.init, .key("width", \.width), .key("height", \.height))
}

struct MicroblogImage: MappedModel {
  var file: MicroblogFile
  var size: MicroblogSize?
  var focus: [String: Double]?

  static let mapping = Mapping(
    "MicroblogImage", MicroblogImage.init,
    .inlined("file", \.file), .key("size", \.size, json: "meta.original"),
    .key("focus", \.focus, json: "meta.focus"))
}

/// A video or an animation.
struct MicroblogClip: MappedModel {
  var file: MicroblogFile
  var size: MicroblogSize?
  var duration: Double?

  static let mapping = Mapping(
    "MicroblogClip", MicroblogClip.init,
    .inlined("file", \.file), .key("size", \.size, json: "meta.small"),
    .key("duration", \.duration, json: "meta.original.duration"))
}

struct MicroblogSound: MappedModel {
  var file: MicroblogFile
  var duration: Double?
  var bitrate: Int?

  static let mapping = Mapping(
    "MicroblogSound", MicroblogSound.init,
    .inlined("file", \.file), .key("duration", \.duration, json: "meta.original.duration"),
    .key("bitrate", \.bitrate, json: "meta.original.bitrate"))
}
