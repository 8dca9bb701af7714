import EpisodeFeed
import Foundation
import Moho

/// A folder of a test's own, which is gone when the test is.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "feed-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file and returns its path.
  func file(_ name: String, _ data: Data) throws -> String {
    try data.write(to: url.appending(path: name))
    return path(name)
  }

  /// A store in a file.
  func store(_ name: String = "store.sqlite") throws -> ModelStore {
    try ModelStore(path: path(name), models: Episode.self)
  }
}
