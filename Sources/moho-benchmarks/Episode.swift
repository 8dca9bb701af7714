import Foundation
import GRDB
import MohoMapping

/// The row of seven columns that is fetched.
struct Episode: MappedModel, Equatable {
  var id: Int
  var title: String
  var summary: String?
  var url: String
  var publishedAt: Date
  var duration: Double
  var season: Int?

  static let mapping = Mapping(
    "Episode", Episode.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("summary", \.summary),
    .key("url", \.url),
    .key("publishedAt", \.publishedAt),
    .key("duration", \.duration),
    .key("season", \.season))

  static func generate(_ count: Int) -> [Episode] {
    (0..<count).map { number in
      Episode(
        id: number,
        title: "Episode \(number): what the mantle is made of",
        summary: number % 4 == 0
          ? nil : "In which rock number \(number) is looked at from all sides, slowly.",
        url: "https://example.com/episodes/\(number)",
        publishedAt: Date(timeIntervalSinceReferenceDate: Double(number) * 3_600),
        duration: Double(number % 5_000) + 0.5,
        season: number % 10 == 0 ? nil : number / 10_000)
    }
  }
}

/// The same row as a GRDB record whose initializer reads columns by index.
struct EpisodeRecord: FetchableRecord {
  var id: Int
  var title: String
  var summary: String?
  var url: String
  var publishedAt: Date
  var duration: Double
  var season: Int?

  init(row: Row) {
    id = row[0]
    title = row[1]
    summary = row[2]
    url = row[3]
    publishedAt = Date(timeIntervalSinceReferenceDate: row[4])
    duration = row[5]
    season = row[6]
  }
}

/// The same row as a GRDB record that is decoded by its `Codable` conformance.
struct EpisodeCodable: FetchableRecord, Decodable {
  var id: Int
  var title: String
  var summary: String?
  var url: String
  var publishedAt: Double
  var duration: Double
  var season: Int?
}
