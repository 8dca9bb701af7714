import Foundation
import GRDB
import MohoRows
import MohoSQLite

/// A store with episodes in a file.
struct StoredFeed {
  let store: ModelStore
  let path: String
  let count: Int

  /// Creates the file and saves `count` episodes.
  init(count: Int, folder: URL) throws {
    self.count = count
    path = folder.appending(path: "store-\(count).sqlite").path
    store = try ModelStore(path: path, models: FeedEpisode.self)
    print("writing \(count) rows")
    try store.write { try $0.save((0..<count).lazy.map { FeedEpisode(number: $0) }) }
    try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }
}

extension ModelStore {
  /// The connection settings of the store as SQL statements, for the
  /// connections of other contenders.
  var settings: String {
    get throws {
      try writer.writeWithoutTransaction { database in
        try ["foreign_keys", "synchronous", "cache_size", "mmap_size", "temp_store"]
          .map { name in
            let value = try Int.fetchOne(database, sql: "PRAGMA \(name)")
            return "PRAGMA \(name) = \(value ?? 0);"
          }
          .joined(separator: " ")
      }
    }
  }
}
