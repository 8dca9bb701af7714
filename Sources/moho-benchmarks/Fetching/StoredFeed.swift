import Foundation
import GRDB
import MohoStore

/// A store of episodes in a file.
struct StoredFeed {
  let store: ModelStore
  let path: String
  let count: Int

  /// Makes the file.
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
  /// The settings of the store's connections as statements, for the connections
  /// of others.
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
