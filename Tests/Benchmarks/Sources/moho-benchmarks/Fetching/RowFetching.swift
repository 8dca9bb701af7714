import CFloors
import GRDB
import MohoRows
import MohoSQLite

/// Fetches all rows into models. All contenders run the SQL that Moho runs.
struct RowFetching {
  let feed: StoredFeed
  let settings: String

  init(feed: StoredFeed) throws {
    self.feed = feed
    settings = try feed.store.settings
  }

  private static let select = """
    SELECT "id", "guid", "title", "summary", "author", "publishedAt", "number", "season", \
    "isExplicit", "duration", "rating", "mediaURL", "mediaSize" FROM "FeedEpisode" ORDER BY "id"
    """

  var contenders: [Contender] {
    [
      Contender(name: "Moho") {
        try feed.store.fetch(ModelRequest<FeedEpisode>().order(by: \.id))
          .reduce(into: 0.0) { $0 += $1.checksum }
      },
      Contender(name: "Swift, SQLite by hand") {
        try HandWrittenRows(path: feed.path, settings: settings, select: Self.select).read()
          .reduce(into: 0.0) { $0 += $1.checksum }
      },
      Contender(name: "C, into structs") { floor_fetch(feed.path, settings, Self.select) },
      Contender(name: "GRDB, init(row:) by index") {
        try feed.store.writer.read { try IndexedRecord.fetchAll($0, sql: Self.select) }
          .reduce(into: 0.0) { $0 += $1.episode.checksum }
      },
      Contender(name: "GRDB, Codable") {
        try feed.store.writer.read { try FeedRecord.fetchAll($0, sql: Self.select) }
          .reduce(into: 0.0) { $0 += $1.checksum }
      },
    ]
  }
}
