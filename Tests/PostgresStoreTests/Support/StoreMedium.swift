import Fixtures
import MohoRows

/// Where a store is.
enum StoreMedium: CaseIterable {
  case server

  /// A medium whose stores can be read by several threads at once.
  static let parallel = server

  /// Calls a closure with an empty store of episodes.
  func withStore(_ body: (ModelStore) async throws -> Void) async throws {
    try await body(emptyStore(Episode.self))
  }
}
