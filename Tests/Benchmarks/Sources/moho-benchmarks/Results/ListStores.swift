import Foundation
import GRDB
import MohoRows
import MohoSQLite

/// Database files with the same episodes, one for each contender.
final class ListStores {
  let episodes: ListedEpisodes
  private let folder: URL
  private let origin: URL
  private var copies: [String] = []
  private var nextCopy = 0

  /// Creates the file that `makeCopy()` copies.
  init(count: Int, folder: URL) throws {
    episodes = ListedEpisodes(count: count)
    self.folder = folder
    origin = folder.appending(path: "list-\(count).sqlite")
    let store = try Self.open(origin.path)
    try store.write { writer in
      try writer.save(episodes.models())
      try writer.save((1...100).map { ListedShow(id: $0, title: "Show \($0)") })
    }
    try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try store.writer.close()
  }

  deinit {
    removeCopies()
    Self.remove(origin.path)
  }

  func makeCopy() throws -> String {
    nextCopy += 1
    let copy = folder.appending(path: "list-\(episodes.count)-\(nextCopy).sqlite")
    try FileManager.default.copyItem(at: origin, to: copy)
    copies.append(copy.path)
    return copy.path
  }

  func removeCopies() {
    for path in copies { Self.remove(path) }
    copies = []
  }

  static func open(_ path: String) throws -> ModelStore {
    try ModelStore(path: path, models: ListedEpisode.self, ListedShow.self)
  }

  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
