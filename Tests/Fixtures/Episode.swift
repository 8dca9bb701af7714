import Foundation
import MohoMapping

/// An episode of a podcast, for tests that need any model.
package struct Episode: MappedModel, Equatable {
  package var id: Int
  package var title: String
  package var summary: String?
  package var kind: EpisodeKind
  package var publishedAt: Date
  package var thumbnailURL: URL?
  package var season: Int?
  package var isPlayed: Bool
  package var isExpanded: Bool

  package init(
    id: Int, title: String, summary: String? = nil, kind: EpisodeKind = .free,
    publishedAt: Date, thumbnailURL: URL? = nil, season: Int? = nil, isPlayed: Bool = false,
    isExpanded: Bool = false
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.kind = kind
    self.publishedAt = publishedAt
    self.thumbnailURL = thumbnailURL
    self.season = season
    self.isPlayed = isPlayed
    self.isExpanded = isExpanded
  }

  package static let mapping = Mapping(
    "Episode", Episode.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("summary", \.summary, json: "description"),
    .key("kind", \.kind),
    .key("publishedAt", \.publishedAt, json: "published_at", .iso8601, .indexed),
    .key("thumbnailURL", \.thumbnailURL, json: "thumbnail.url"),
    .key("season", \.season),
    .key("isPlayed", \.isPlayed, default: false),
    .transient(\.isExpanded, default: false))

  /// Returns an episode that was published on the day of its number.
  package static func number(
    _ id: Int, title: String? = nil, season: Int? = nil
  ) -> Episode {
    Episode(
      id: id, title: title ?? "Episode \(id)",
      publishedAt: Date(timeIntervalSinceReferenceDate: Double(id) * 86_400), season: season)
  }
}

/// The kind of an episode.
package enum EpisodeKind: String, CaseIterable, FieldValue { case free, paid }
