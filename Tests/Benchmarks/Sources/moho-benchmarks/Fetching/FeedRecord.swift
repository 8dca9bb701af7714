import Foundation
import GRDB

/// The episode as a GRDB record with a `Codable` conformance.
struct FeedRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "FeedEpisode"

  var id: Int
  var guid: String
  var title: String
  var summary: String
  var author: String
  /// In seconds since 2001, the date format of Moho stores.
  var publishedAt: Double
  var number: Int
  var season: Int?
  var isExplicit: Bool
  var duration: Double
  var rating: Double
  var mediaURL: String
  var mediaSize: Int

  init(_ episode: FeedEpisode) {
    id = episode.id
    guid = episode.guid
    title = episode.title
    summary = episode.summary
    author = episode.author
    publishedAt = episode.publishedAt.timeIntervalSinceReferenceDate
    number = episode.number
    season = episode.season
    isExplicit = episode.isExplicit
    duration = episode.duration
    rating = episode.rating
    mediaURL = episode.mediaURL
    mediaSize = episode.mediaSize
  }

  var checksum: Double {
    let integers = id + number + (season ?? -1) + mediaSize + guid.utf8.count
    let text = title.utf8.count + summary.utf8.count + author.utf8.count + mediaURL.utf8.count
    let total = integers + text + (isExplicit ? 1 : 0)
    return Double(total) + duration + rating + publishedAt
  }
}

/// The episode as a GRDB record whose initializer reads columns by index.
struct IndexedRecord: FetchableRecord {
  let episode: FeedEpisode

  init(row: Row) {
    episode = FeedEpisode(
      id: row[0], guid: row[1], title: row[2], summary: row[3], author: row[4],
      publishedAt: Date(timeIntervalSinceReferenceDate: row[5]), number: row[6], season: row[7],
      isExplicit: row[8], duration: row[9], rating: row[10], mediaURL: row[11],
      mediaSize: row[12])
  }
}
