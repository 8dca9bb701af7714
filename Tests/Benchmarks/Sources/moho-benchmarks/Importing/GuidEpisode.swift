import MohoMapping

/// The episode with its GUID, a text, as its unique key.
struct GuidEpisode: MappedModel {
  var episode: FeedEpisode

  static let mapping = Mapping(
    "FeedEpisode",
    {
      GuidEpisode(
        episode: FeedEpisode(
          id: $0, guid: $1, title: $2, summary: $3, author: $4, publishedAt: $5, number: $6,
          season: $7, isExplicit: $8, duration: $9, rating: $10, mediaURL: $11, mediaSize: $12))
    },
    .key("id", \.episode.id),
    .key("guid", \.episode.guid, .unique),
    .key("title", \.episode.title),
    .key("summary", \.episode.summary),
    .key("author", \.episode.author),
    .key("publishedAt", \.episode.publishedAt, json: "published_at", .iso8601),
    .key("number", \.episode.number),
    .key("season", \.episode.season),
    .key("isExplicit", \.episode.isExplicit, json: "explicit"),
    .key("duration", \.episode.duration),
    .key("rating", \.episode.rating),
    .key("mediaURL", \.episode.mediaURL, json: "media.url"),
    .key("mediaSize", \.episode.mediaSize, json: "media.size"))
}
