import Foundation
import MohoMapping

/// An episode with 13 values, for JSON and for stores.
struct FeedEpisode: MappedModel, Equatable {
  var id: Int
  var guid: String
  var title: String
  var summary: String
  var author: String
  var publishedAt: Date
  var number: Int
  var season: Int?
  var isExplicit: Bool
  var duration: Double
  var rating: Double
  var mediaURL: String
  var mediaSize: Int

  static let mapping = Mapping(
    "FeedEpisode", FeedEpisode.init,
    .key("id", \.id, .unique),
    .key("guid", \.guid),
    .key("title", \.title),
    .key("summary", \.summary),
    .key("author", \.author),
    .key("publishedAt", \.publishedAt, json: "published_at", .iso8601),
    .key("number", \.number),
    .key("season", \.season),
    .key("isExplicit", \.isExplicit, json: "explicit"),
    .key("duration", \.duration),
    .key("rating", \.rating),
    .key("mediaURL", \.mediaURL, json: "media.url"),
    .key("mediaSize", \.mediaSize, json: "media.size"))

  init(
    id: Int, guid: String, title: String, summary: String, author: String, publishedAt: Date,
    number: Int, season: Int?, isExplicit: Bool, duration: Double, rating: Double,
    mediaURL: String, mediaSize: Int
  ) {
    self.id = id
    self.guid = guid
    self.title = title
    self.summary = summary
    self.author = author
    self.publishedAt = publishedAt
    self.number = number
    self.season = season
    self.isExplicit = isExplicit
    self.duration = duration
    self.rating = rating
    self.mediaURL = mediaURL
    self.mediaSize = mediaSize
  }

  /// Creates a generated episode, about 460 bytes as JSON.
  init(number: Int) {
    self.init(
      id: number,
      guid: "urn:episode:\(number &* 2_654_435_761 % 1_000_000_007)",
      title: "Episode \(number): what the mantle is made of",
      summary: number % 8 == 0
        ? "In dem „Gestein“ Nº \(number) von allen Seiten betrachtet wird:\n\tlangsam, mit Muße."
        : "In which rock number \(number) is looked at from all sides, and not put back"
          + " before all that is \"under\" it has been looked at too.",
      author: number % 3 == 0 ? "Andrija Mohorovičić" : "Inge Lehmann",
      publishedAt: Date(timeIntervalSinceReferenceDate: Double(number) * 3_607),
      number: number % 400,
      season: number % 10 == 0 ? nil : number / 10_000,
      isExplicit: number % 16 == 0,
      duration: Double(number % 5_000) + 0.25,
      rating: Double(number % 500) / 100,
      mediaURL: "https://media.example.com/podcasts/discontinuity/episodes/\(number).mp3",
      mediaSize: 20_000_000 + number * 17)
  }

  var checksum: Double {
    let integers = id + number + (season ?? -1) + mediaSize + guid.utf8.count
    let text = title.utf8.count + summary.utf8.count + author.utf8.count + mediaURL.utf8.count
    let total = integers + text + (isExplicit ? 1 : 0)
    return Double(total) + duration + rating + publishedAt.timeIntervalSinceReferenceDate
  }
}

/// The same episode with a `Codable` conformance.
struct CodableEpisode: Codable {
  struct Media: Codable {
    var url: String
    var size: Int
  }

  enum CodingKeys: String, CodingKey {
    case id, guid, title, summary, author, number, season, duration, rating, media
    case publishedAt = "published_at"
    case isExplicit = "explicit"
  }

  var id: Int
  var guid: String
  var title: String
  var summary: String
  var author: String
  var publishedAt: Date
  var number: Int
  var season: Int?
  var isExplicit: Bool
  var duration: Double
  var rating: Double
  var media: Media

  init(_ episode: FeedEpisode) {
    id = episode.id
    guid = episode.guid
    title = episode.title
    summary = episode.summary
    author = episode.author
    publishedAt = episode.publishedAt
    number = episode.number
    season = episode.season
    isExplicit = episode.isExplicit
    duration = episode.duration
    rating = episode.rating
    media = Media(url: episode.mediaURL, size: episode.mediaSize)
  }

  var model: FeedEpisode {
    FeedEpisode(
      id: id, guid: guid, title: title, summary: summary, author: author,
      publishedAt: publishedAt, number: number, season: season, isExplicit: isExplicit,
      duration: duration, rating: rating, mediaURL: media.url, mediaSize: media.size)
  }

  var checksum: Double {
    let integers = id + number + (season ?? -1) + media.size + guid.utf8.count
    let text = title.utf8.count + summary.utf8.count + author.utf8.count + media.url.utf8.count
    let total = integers + text + (isExplicit ? 1 : 0)
    return Double(total) + duration + rating + publishedAt.timeIntervalSinceReferenceDate
  }
}
