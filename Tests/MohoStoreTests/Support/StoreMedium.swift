import Fixtures
import Foundation
import MohoRows
import MohoSQLite

/// Where a store is.
enum StoreMedium: CaseIterable {
  case memory, file

  /// A medium whose stores can be read by several threads at once.
  static let parallel = file

  /// Calls a closure with an empty store of episodes, which is deleted afterwards.
  func withStore(_ body: (ModelStore) async throws -> Void) async throws {
    if self == .memory { return try await body(ModelStore(inMemory: Episode.self)) }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(
      ModelStore(path: folder.appending(path: "store.sqlite").path, models: Episode.self))
  }
}
