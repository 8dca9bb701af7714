import CFloors
import GRDB
import MohoStore

/// Writes two columns of some of the rows, in one transaction: Moho by a
/// context whose rows are edited, GRDB, and a C program by prepared updates. The
/// checksum is the number of rows that have the new values.
final class ContextSaving {
  /// How many rows are edited at most.
  static let limit = 10_000

  let count: Int
  private let feed: StoredFeed
  private let settings: String
  private let ids: [Int]
  private var context: EditingContext?
  private var records: [FeedRecord] = []
  /// How often rows were edited: each time, the values are others.
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
      contender("Moho, a context", reset: { try self.load(isEdited: true) }) {
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
      // The last, so that the connection of the first is as cold as this one.
      contender("C, the same updates") {
        let ids = self.ids.map { Int64($0) }
        let changed = floor_update(
          self.feed.path, self.settings, Self.update, ids, ids.count, self.title, self.rating)
        guard changed == ids.count else {
          throw ChecksumMismatch(description: "C has changed \(changed) rows")
        }
      },
    ]
  }

  /// Saves a context that has read the rows and changed none.
  var unchanged: Contender {
    Contender(name: "Moho, a context", reset: { try self.load(isEdited: false) }) {
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
      },
      run: {
        try run()
        return .nan
      }, checksum: { _ in try self.editedCount })
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
