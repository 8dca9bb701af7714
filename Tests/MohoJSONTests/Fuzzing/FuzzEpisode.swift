import MohoMapping

/// An episode with keys at all kinds of paths.
struct FuzzEpisode: MappedModel, Codable, Equatable {
  var id: Int
  var title: String
  var kind: Episode.Kind
  var duration: Double?
  var guests: [String?]?
  var starts: [[Double]]

  static let mapping = Mapping(
    "Episode", FuzzEpisode.init,
    .key("id", \.id, .unique),
    .key("title", \.title, alternatives: ["meta.title", "headline", "meta"]),
    .key("kind", \.kind, json: "episode_type"),
    .key("duration", \.duration),
    .key("guests", \.guests, json: "guests[*].name", alternatives: ["people[*].name"]),
    .key("starts", \.starts, json: "parts[*].chapters[*].at.start", default: [[Double]]()))
}
