import Foundation
import Moho

extension Episode {
  /// The keys as the screencast's API has them: the same model in another form.
  public static let screencast = Mapping(
    "Episode",
    { id, title, summary, kind, publishedAt, imageURL in
      Episode(
        id: id, title: title, summary: summary, kind: kind, publishedAt: publishedAt,
        imageURL: imageURL)
    },
    .key("id", \Episode.id, json: "episode_number", .episodeNumber, .unique),
    .key("title", \.title),
    .key("summary", \.summary, json: "description"),
    .key("kind", \.kind, json: "episode_type"),
    .key("publishedAt", \.publishedAt, json: "published_at"),
    .key("imageURL", \.imageURL, json: "thumbnail_url"))
}
