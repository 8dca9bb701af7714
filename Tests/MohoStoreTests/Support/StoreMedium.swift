import CommandTesting
import Fixtures
import MohoRows
import MohoSQLite
import PostgresTesting
import StoreTesting

/// Where a store is.
enum StoreMedium: CaseIterable {
  case memory, file, server

  static var allCases: [StoreMedium] {
    PostgresServer.isSkipped ? [.memory, .file] : [.memory, .file, .server]
  }

  /// The media whose stores can be read by several threads at once.
  static var parallel: [StoreMedium] { allCases.filter { $0 != .memory } }

  /// Calls a closure with an empty store of episodes, which is deleted afterwards.
  func withStore(_ body: (ModelStore) async throws -> Void) async throws {
    switch self {
    case .memory: try await body(ModelStore(inMemory: Episode.self))
    case .file:
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      try await body(ModelStore(path: folder.path("store.sqlite"), models: Episode.self))
    case .server:
      try await TestedEngine.$current.withValue(.postgres) {
        try await body(emptyStore(Episode.self))
      }
    }
  }
}
