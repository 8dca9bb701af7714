import GRDB
import MohoStore

/// Fetches all rows into models: Moho, and GRDB with the SQL that Moho runs.
struct RowDecoding {
  let store: ModelStore

  private static let sql = """
    SELECT "id", "title", "summary", "url", "publishedAt", "duration", "season" \
    FROM "Episode" ORDER BY "id"
    """

  var contenders: [Contender] {
    [
      Contender(name: "Moho") {
        let models = try store.models(ModelRequest<Episode>().order(by: \.id))
        return models.reduce(into: 0.0) { $0 += Double($1.title.utf8.count + $1.id) + $1.duration }
      },
      Contender(name: "GRDB, init(row:) by index") {
        let models = try store.writer.read { try EpisodeRecord.fetchAll($0, sql: Self.sql) }
        return models.reduce(into: 0.0) { $0 += Double($1.title.utf8.count + $1.id) + $1.duration }
      },
      Contender(name: "GRDB, Codable") {
        let models = try store.writer.read { try EpisodeCodable.fetchAll($0, sql: Self.sql) }
        return models.reduce(into: 0.0) { $0 += Double($1.title.utf8.count + $1.id) + $1.duration }
      },
    ]
  }
}
