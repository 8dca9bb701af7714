import CFloors
import Foundation
import MohoChanges
import MohoResults

/// The memory that a controller holds of which nothing is asked.
enum IdleMemory {
  /// The bytes that the process grows by when a controller is made, in a process
  /// of its own; nil where the system does not tell.
  static func measuredInChild(_ list: EpisodeList, _ path: String) throws -> Int? {
    try ChildProcess(arguments: ["results", "--idle-memory", list.rawValue, "--store", path])
      .output().flatMap { Int($0) }
  }

  /// What the child does.
  static func printGrowth(_ list: EpisodeList, _ path: String) throws {
    let store = try ListStores.open(path)
    // Fills the caches that stay.
    _ = try list.controller(in: store).snapshot.count
    let before = residentBytes()
    let controller = try list.controller(in: store)
    let after = residentBytes()
    guard let before, let after, !controller.snapshot.isEmpty else { return }
    print(after - before)
  }

  /// What the index says that it takes.
  static func counted(_ controller: ResultsController<ListedEpisode>) -> Int {
    controller.snapshot.index.storage.bytes
  }

  private static func residentBytes() -> Int? {
    floor_release_memory()
    return Memory.resident
  }
}
