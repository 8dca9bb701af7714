import CFloors
import GRDB
import MohoRows
import MohoSQLite

/// Saves two changed columns of some rows in one transaction: Moho with an
/// editing context, GRDB, and a C program with prepared updates. The checksum
/// is the number of rows that have the new values.
final class ContextSaving {
  /// The maximum number of edited rows.
  static let limit = 10_000

  let count: Int
  private let feed: StoredFeed
  private let settings: String
  private let ids: [Int]
  private var context: EditingContext?
  private var records: [FeedRecord] = []
  /// The number of the current run. The written values depend on it, so that
  /// they differ in each run.
  private var edition = 0

  init(feed: StoredFeed) throws {
    self.feed = feed
    settings = try feed.store.settings
    count = min(Self.limit, feed.count)
    let stride = feed.count / count
    ids = (0..<count).map { $0 * stride }
  }

  private static let update = """
    UPDATE "FeedEpisode" SET "title" = ?, "rating" = ? WHERE "id" = ?
    """

  private var title: String { "Episode \(edition): edited with others" }
  private var rating: Double { Double(edition) + 0.5 }

  var contenders: [Contender] {
    [
      contender("Moho, editing context", reset: { try self.load(isEdited: true) }) {
        try self.context?.save()
      },
      contender("GRDB, updateChanges", reset: loadRecords) {
        try self.feed.store.writer.write { database in
          for var record in self.records {
            try record.updateChanges(database) {
              $0.title = self.title
              $0.rating = self.rating
            }
          }
        }
      },
      contender("GRDB, a cached statement") {
        try self.feed.store.writer.write { database in
          let statement = try database.cachedStatement(sql: Self.update)
          for id in self.ids { try statement.execute(arguments: [self.title, self.rating, id]) }
        }
      },
      // Runs last, so that the connection of the first contender is as cold as
      // this one.
      contender("C, the same updates") {
        let ids = self.ids.map { Int64($0) }
        let changed = floor_update(
          self.feed.path, self.settings, Self.update, ids, ids.count, self.title, self.rating)
        guard changed == ids.count else {
          throw ChecksumMismatch(
            description: "C changed \(changed) rows, not \(ids.count): \(floorFailure)")
        }
      },
    ]
  }

  /// Saves a context that fetched the rows and changed none of them.
  var unchanged: Contender {
    Contender(name: "Moho, editing context", reset: { try self.load(isEdited: false) }) {
      try self.context?.save()
      return Double(self.context?.pendingChanges.entities.count ?? -1)
    }
  }

  private func contender(
    _ name: String, reset: @escaping () throws -> Void = {}, run: @escaping () throws -> Void
  ) -> Contender {
    Contender(
      name: name,
      reset: {
        self.edition += 1
        try reset()
      }, work: run, checksum: { try self.editedCount })
  }

  private var editedCount: Double {
    get throws {
      try feed.store.writer.read { database in
        let sql = #"SELECT count(*) FROM "FeedEpisode" WHERE "title" = ? AND "rating" = ?"#
        return try Double.fetchOne(database, sql: sql, arguments: [title, rating]) ?? .nan
      }
    }
  }

  private func load(isEdited: Bool) throws {
    let context = EditingContext(feed.store)
    self.context = context
    let rows = try context.fetch(
      ModelRequest<FeedEpisode>().filter { $0.id.isOne(of: ids) })
    guard isEdited else { return }
    for row in rows {
      try row.set(\FeedEpisode.title, to: title)
      try row.set(\FeedEpisode.rating, to: rating)
    }
  }

  private func loadRecords() throws {
    records = try feed.store.writer.read { try FeedRecord.fetchAll($0, keys: ids) }
  }
}
