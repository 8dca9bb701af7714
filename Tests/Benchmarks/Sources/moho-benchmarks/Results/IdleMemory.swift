import CFloors
import Foundation
import MohoChanges
import MohoResults

/// The memory of a controller whose snapshot is not read.
enum IdleMemory {
  /// Returns the bytes by which a child process grows when it creates a
  /// controller. `nil` if the system does not report memory.
  static func measuredInChild(_ list: EpisodeList, _ path: String) throws -> Int? {
    try ChildProcess(arguments: ["results", "--idle-memory", list.rawValue, "--store", path])
      .output().flatMap { Int($0) }
  }

  /// Prints the growth in bytes, in the child process.
  static func printGrowth(_ list: EpisodeList, _ path: String) throws {
    let store = try ListStores.open(path)
    // Fills caches that remain in memory.
    _ = try list.controller(in: store).snapshot.count
    let before = residentBytes()
    let controller = try list.controller(in: store)
    let after = residentBytes()
    guard let before, let after, !controller.snapshot.isEmpty else { return }
    print(after - before)
  }

  private static func residentBytes() -> Int? {
    floor_release_memory()
    return Memory.resident
  }
}
